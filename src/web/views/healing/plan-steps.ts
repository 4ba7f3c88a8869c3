import type { HealingSummary } from '../../../client/misstep-client.generated.ts';
import { fixOutcomeState, outcomeSinceThen } from '../../parts/fix-outcome-text.ts';

/** One stage of a plan, from approval to its end. */
export interface PlanStage {
  title: string;
  /** `open`: later runs do not show yet whether the fix holds. */
  state: 'done' | 'now' | 'ahead' | 'failed' | 'open';
  /** When the stage was reached; null if not recorded. */
  at: string | null;
  /** The actor and the note, or what later runs show. */
  detail: string | null;
  /** The plan took effect here, and nothing more is to be done. */
  isEnd?: boolean;
  /** What later runs show, which the title says. */
  outcome?: NonNullable<HealingSummary['fix_outcome']>;
}

type PlanProgress = Pick<
  HealingSummary,
  | 'status'
  | 'action'
  | 'policy'
  | 'approvals'
  | 'created_at'
  | 'created_by'
  | 'updated_at'
  | 'started_at'
  | 'applied_at'
  | 'rolled_back_at'
  | 'note'
  | 'fix_outcome'
>;

/**
 * The stages of a plan: pending approval, approved, in progress, applied, and any failure or rollback. An applied plan
 * ends with what later runs show.
 *
 * @param nameOf the name of an actor
 */
export function stagesOf(plan: PlanProgress, nameOf: (actor: string) => string = (actor) => actor): PlanStage[] {
  const { status } = plan;
  const pending = stage('Pending approval', status === 'pending_approval' ? 'now' : 'done', plan.created_at);
  const approved = stage(
    'Approved',
    approvedState(plan),
    plan.approvals.at(-1)?.at ?? null,
    approvalText(plan, nameOf),
  );
  if (status === 'rejected') {
    const completed = plan.approvals.length > 0 ? [pending, approved] : [pending];
    return [...completed, stage('Rejected', 'failed', plan.updated_at, plan.note)];
  }
  const isFirst = plan.action !== 'rollback';
  const executing = stage('In progress', isFirst ? executingState(status) : 'done', isFirst ? plan.started_at : null);
  const applied = { ...stage('Applied', appliedState(plan), plan.applied_at), isEnd: status === 'applied' };
  const started = [pending, approved, executing];
  if (status === 'failed') return [...started, stage('Failed', 'failed', plan.updated_at, plan.note)];
  if (status === 'unknown' && isFirst) return [...started, stage('Outcome unknown', 'failed', plan.updated_at)];
  if (isFirst || status === 'applied') return [...started, applied, ...outcomeStages(plan.fix_outcome)];
  if (status === 'unknown') return [...started, applied, stage('Outcome unknown', 'failed', plan.updated_at)];
  const rollingBack = status === 'executing' ? stage('Rolling back', 'now', plan.started_at) : null;
  const rolledBack = { ...stage('Rolled back', 'now', plan.rolled_back_at, plan.note), isEnd: true };
  return [...started, applied, rollingBack ?? rolledBack];
}

const OUTCOME_STATES = { open: 'open', holds: 'done', recurred: 'failed' } as const;

function outcomeStages(outcome: PlanProgress['fix_outcome']): PlanStage[] {
  if (outcome === null) return [];
  const state = outcome.run_count === 0 ? 'ahead' : OUTCOME_STATES[fixOutcomeState(outcome)];
  return [{ ...stage(outcomeSinceThen(outcome), state, null), outcome }];
}

function stage(title: string, state: PlanStage['state'], at: string | null, detail: string | null = null): PlanStage {
  return { title, state, at: state === 'ahead' ? null : at, detail };
}

function approvedState({ status }: PlanProgress): PlanStage['state'] {
  if (status === 'pending_approval') return 'ahead';
  return status === 'approved' ? 'now' : 'done';
}

function executingState(status: PlanProgress['status']): PlanStage['state'] {
  if (status === 'pending_approval' || status === 'approved') return 'ahead';
  return status === 'executing' ? 'now' : 'done';
}

function appliedState({ status, action }: PlanProgress): PlanStage['state'] {
  if (status === 'applied') return 'now';
  return action === 'rollback' ? 'done' : 'ahead';
}

function approvalText({ approvals, policy }: PlanProgress, nameOf: (actor: string) => string): string | null {
  const last = approvals.at(-1);
  if (last === undefined) return null;
  const by =
    policy === 'auto' ? 'by the healing policy' : last.by === null ? 'by an unnamed caller' : `by ${nameOf(last.by)}`;
  return last.note === null ? by : `${by}: ${last.note}`;
}
