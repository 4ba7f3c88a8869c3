import type { Issue } from '../../../client/misstep-client.generated.ts';

type Plans = Issue['plans'];

const PENDING: ReadonlySet<Plans[number]['status']> = new Set(['pending_approval', 'approved', 'executing', 'unknown']);

/** The newest plan that waits for a decision or for its outcome. */
export function pendingPlan(plans: Plans): Plans[number] | undefined {
  return plans.find(({ status }) => PENDING.has(status));
}

/** How far the fix of an issue is; null without a plan that can still take effect. */
export function fixProgress(plans: Plans): 'pending' | 'applied' | null {
  if (pendingPlan(plans) !== undefined) return 'pending';
  return plans.some(({ status }) => status === 'applied') ? 'applied' : null;
}
