import type { Fix, HealingSummary } from '../../../client/misstep-client.generated.ts';
import { fixOutcomeState } from '../../parts/fix-outcome-text.ts';
import { type PlanStatus, STATUS_LABELS } from '../../parts/plan-status.ts';
import { zonedTimeText } from '../../parts/times.ts';

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

/** The status of a plan, in the words of its issue: `Applied, did not hold`. */
export function planStatusText(plan: Pick<HealingSummary, 'status' | 'fix_outcome' | 'issue'>): string {
  const hasFailed = didNotHold(plan) && plan.issue?.status !== 'resolved';
  return `${STATUS_LABELS[plan.status]}${hasFailed ? ', did not hold' : ''}`;
}

/** The plans to name with a detection: those that wait, then the applied ones; if none is open, the newest. @param plans newest first */
export function namedPlans<Plan extends Pick<FixPlan, 'status'>>(plans: readonly Plan[]): Plan[] {
  const open = openPlans(plans);
  if (open.length === 0) return plans.slice(0, 1);
  return open.toSorted((a, b) => Number(a.status === 'applied') - Number(b.status === 'applied'));
}

/** Plans that can still be carried out or are in effect. */
export function openPlans<Plan extends Pick<FixPlan, 'status'>>(plans: readonly Plan[]): Plan[] {
  return plans.filter(({ status }) => OPEN_STATUSES.has(status));
}

/** The status of a plan, and what a run of its issue says about it if it is applied: `pending approval`. */
export function planStateText(
  { status, applied_at }: Pick<HealingSummary, 'status' | 'applied_at'>,
  run: { started_at: string },
): string {
  const text = STATUS_LABELS[status].toLowerCase();
  if (status !== 'applied' || applied_at === null) return text;
  const isAfter = Date.parse(run.started_at) > Date.parse(applied_at);
  return `${text} ${zonedTimeText(applied_at)}, ${isAfter ? 'detected again in this run' : 'this run began before that'}`;
}
