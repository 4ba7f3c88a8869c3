import { AppError } from '../../core/app-error.ts';

export const HEALING_STATUSES = [
  'pending_approval',
  'approved',
  'rejected',
  'executing',
  'applied',
  'failed',
  'unknown',
  'rolled_back',
] as const;
export type HealingStatus = (typeof HEALING_STATUSES)[number];

/** The last started action. */
export type HealingAction = 'apply' | 'rollback';

/** Requested actions. */
export const HEALING_STEPS = ['approve', 'reject', 'execute', 'rollback', 'check', 'resolve'] as const;
export type HealingStep = (typeof HEALING_STEPS)[number];

/** Outcome of an action. `undone`: nothing was changed, and it may be retried. */
export type HealingOutcome = 'done' | 'undone' | 'failed' | 'interrupted';

const ALLOWED: Readonly<Record<HealingStep, readonly HealingStatus[]>> = {
  approve: ['pending_approval'],
  reject: ['pending_approval', 'approved'],
  execute: ['approved'],
  rollback: ['applied'],
  check: ['applied', 'rolled_back', 'unknown'],
  resolve: ['executing', 'unknown'],
};

const NEXT_STATUS: Readonly<Partial<Record<HealingStep, HealingStatus>>> = {
  approve: 'approved',
  reject: 'rejected',
  execute: 'executing',
  rollback: 'executing',
};

/** The next status; null if the step is not allowed. `check` and `resolve` change nothing by themselves. */
export function statusAfter(step: HealingStep, status: HealingStatus): HealingStatus | null {
  return ALLOWED[step].includes(status) ? (NEXT_STATUS[step] ?? status) : null;
}

/** @throws AppError `invalid_transition` */
export function stepFrom(step: HealingStep, status: HealingStatus): HealingStatus {
  const next = statusAfter(step, status);
  if (next !== null) return next;
  throw new AppError('invalid_transition', `An operation that is ${status} cannot ${VERBS[step]}.`);
}

const VERBS: Readonly<Record<HealingStep, string>> = {
  approve: 'be approved',
  reject: 'be rejected',
  execute: 'be executed',
  rollback: 'be rolled back',
  check: 'be checked',
  resolve: 'have its outcome recorded',
};

/** The status after an action ended. An interrupted action may have taken effect or not: it is never treated as applied. */
export function statusAtEnd(action: HealingAction, outcome: HealingOutcome): HealingStatus {
  if (outcome === 'interrupted') return 'unknown';
  if (action === 'rollback') return outcome === 'done' ? 'rolled_back' : 'applied';
  if (outcome === 'done') return 'applied';
  return outcome === 'undone' ? 'approved' : 'failed';
}

/** The outcomes that a person may report for an action. */
export const RESOLUTIONS = ['applied', 'failed', 'rolled_back'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** @throws AppError `invalid_transition` for an outcome that the action cannot have */
export function resolved(action: HealingAction, resolution: Resolution): HealingStatus {
  const possible: readonly Resolution[] = action === 'apply' ? ['applied', 'failed'] : ['rolled_back', 'applied'];
  if (possible.includes(resolution)) return resolution;
  throw new AppError(
    'invalid_transition',
    `The operation was interrupted during ${action}: its outcome must be ${possible.join(' or ')}.`,
  );
}
