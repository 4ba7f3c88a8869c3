import type { Issue } from '../../../client/misstep-client.generated.ts';
import { fixOutcomeState } from '../../parts/fix-outcome-text.ts';
import { STATUS_LABELS } from '../../parts/plan-status.ts';

type Plans = Issue['plans'];

const PENDING: ReadonlySet<Plans[number]['status']> = new Set(['pending_approval', 'approved', 'executing', 'unknown']);

export const DID_NOT_HOLD = 'did not hold';

/** The newest plan that waits for a decision or for its outcome. */
export function pendingPlan(plans: Plans): Plans[number] | undefined {
  return plans.find(({ status }) => PENDING.has(status));
}

/** How far the fix of an issue is, in the words of Healing; null without a plan that can still take effect. */
export function fixProgress({
  plans,
  status,
  fix_outcome,
}: Pick<Issue, 'plans' | 'status' | 'fix_outcome'>): string | null {
  const pending = pendingPlan(plans);
  if (pending !== undefined) return STATUS_LABELS[pending.status].toLowerCase();
  if (plans.every((plan) => plan.status !== 'applied')) return null;
  const hasRecurred = fix_outcome !== null && fixOutcomeState(fix_outcome) === 'recurred';
  return hasRecurred && status !== 'resolved' ? DID_NOT_HOLD : STATUS_LABELS.applied.toLowerCase();
}
