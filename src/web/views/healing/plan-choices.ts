import type { HealingSummary } from '../../../client/misstep-client.generated.ts';

/** The value of `executor` for a change that a person makes. */
export const BY_HAND = 'manual';

/** What a person can do with a plan. `applied`, `failed` and `rolled_back` record an outcome. */
export type PlanChoice = 'approve' | 'reject' | 'execute' | 'rollback' | 'check' | 'applied' | 'failed' | 'rolled_back';

/** What the server allows for a plan, the usual choice first. An outcome is recorded after a check where one is possible. */
export function choicesOf({
  status,
  action,
  executor,
  verification,
}: Pick<HealingSummary, 'status' | 'action' | 'executor' | 'verification'>): PlanChoice[] {
  const isByHand = executor === BY_HAND;
  const outcomes: PlanChoice[] = action === 'rollback' ? ['rolled_back', 'applied'] : ['applied', 'failed'];
  switch (status) {
    case 'pending_approval':
      return ['approve', 'reject'];
    case 'approved':
      return ['execute', 'reject'];
    case 'executing':
      return isByHand ? outcomes : [];
    case 'applied':
      return isByHand ? ['rollback'] : ['rollback', 'check'];
    case 'unknown':
      if (isByHand) return outcomes;
      return verification === null ? ['check'] : ['check', ...outcomes];
    case 'rolled_back':
      return isByHand ? [] : ['check'];
    default:
      return [];
  }
}

/** Whether the next step is a person's. */
export function waitsForPerson({ status, executor }: Pick<HealingSummary, 'status' | 'executor'>): boolean {
  return (
    status === 'pending_approval' ||
    status === 'approved' ||
    status === 'unknown' ||
    (status === 'executing' && executor === BY_HAND)
  );
}

const FOUND_TEXTS = {
  after: 'The target has the planned content.',
  before: 'The target has the content from before the change.',
  other: 'The target has neither the previous nor the planned content: it was changed by another party.',
  unreadable: 'The target could not be read.',
} as const satisfies Record<NonNullable<HealingSummary['verification']>['found'], string>;

/** Result of the last check of the target. */
export function foundText({ found }: NonNullable<HealingSummary['verification']>): string {
  return FOUND_TEXTS[found];
}
