import type { Fix, HealingSummary } from '../../../client/misstep-client.generated.ts';
import { fixOutcomeState } from '../../parts/fix-outcome-text.ts';
import type { PlanStatus } from '../../parts/plan-status.ts';

/** Of a plan: what connects it with a fix. */
export interface FixPlan {
  fix_id: string | null;
  status: PlanStatus;
}

/** Statuses of plans that can still be carried out or are in effect. */
const OPEN_STATUSES: ReadonlySet<PlanStatus> = new Set([
  'pending_approval',
  'approved',
  'executing',
  'applied',
  'unknown',
]);

/** The first open plan of a fix, also if it was made for another detection of the issue. @param plans newest first */
export function planOfFix<Plan extends FixPlan>(fixId: string, plans: readonly Plan[]): Plan | undefined {
  return plans.find(
    ({ fix_id, status }) => fix_id !== null && OPEN_STATUSES.has(status) && keyOf(fix_id) === keyOf(fixId),
  );
}

/** The same fix of another detection has an id with the same last part. */
function keyOf(fixId: string): string {
  return fixId.slice(fixId.lastIndexOf('_') + 1);
}

/** The fixes without an open plan, then those with one. Both keep their order, the best fix first. */
export function inOrderOfUse<One extends Pick<Fix, 'fix_id' | 'applied_at'>>(
  fixes: readonly One[],
  plans: readonly FixPlan[],
): One[] {
  const isUsed = ({ fix_id, applied_at }: One) => applied_at !== null || planOfFix(fix_id, plans) !== undefined;
  return [...fixes.filter((fix) => !isUsed(fix)), ...fixes.filter(isUsed)];
}

/** The fix that is not applied with the highest confidence; one without a plan is preferred. */
export function nextFix<One extends Pick<Fix, 'fix_id' | 'applied_at' | 'confidence'>>(
  fixes: readonly One[],
  plans: readonly FixPlan[],
): One | undefined {
  const open = fixes
    .filter(({ fix_id, applied_at }) => applied_at === null && planOfFix(fix_id, plans)?.status !== 'applied')
    .sort((a, b) => b.confidence - a.confidence);
  return inOrderOfUse(open, plans)[0];
}

/** Whether an applied plan did not hold: its failure was detected in a later run. */
export function didNotHold({ status, fix_outcome }: Pick<HealingSummary, 'status' | 'fix_outcome'>): boolean {
  return status === 'applied' && fix_outcome !== null && fixOutcomeState(fix_outcome) === 'recurred';
}

/** What a run says about an applied plan of its issue. */
export function appliedText({ applied_at }: { applied_at: string }, run: { started_at: string }): string {
  return Date.parse(run.started_at) > Date.parse(applied_at)
    ? 'detected again in this run'
    : 'this run began before that';
}
