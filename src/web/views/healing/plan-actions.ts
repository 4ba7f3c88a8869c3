import type { HealingSummary } from '../../../client/misstep-client.generated.ts';

/** The value of `executor` for a change that a person makes. */
export const BY_HAND = 'manual';

/** An action of a person on a plan. `applied`, `failed` and `rolled_back` record an outcome. */
export type PlanAction = 'approve' | 'reject' | 'execute' | 'rollback' | 'check' | 'applied' | 'failed' | 'rolled_back';

/** The actions that the server allows, the usual one first. Where a check is possible, it precedes recording an outcome. */
export function allowedActions({
  status,
  action,
  executor,
  verification,
}: Pick<HealingSummary, 'status' | 'action' | 'executor' | 'verification'>): PlanAction[] {
  const isByHand = executor === BY_HAND;
  const outcomes: PlanAction[] = action === 'rollback' ? ['rolled_back', 'applied'] : ['applied', 'failed'];
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

const VERIFICATION_TEXTS = {
  after: 'The target has the planned content.',
  before: 'The target has the content from before the change.',
  other: 'The target has neither the previous nor the planned content: it was changed by another party.',
  unreadable: 'The target could not be read.',
} as const satisfies Record<NonNullable<HealingSummary['verification']>['found'], string>;

/** Result of the last check of the target. */
export function verificationText({ found }: NonNullable<HealingSummary['verification']>): string {
  return VERIFICATION_TEXTS[found];
}
