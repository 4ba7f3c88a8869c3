import { toRfc3339 } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import {
  countAgentRunsAfter,
  countRecurrencesAfter,
  countWorkflowRunsAfter,
  hasRuns,
  type IssuePlanRow,
  originOfIssue,
} from '../../store/fix-outcome.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import { readIssue } from '../../store/issue.store.ts';
import type { IssueTable } from '../../store/schema.ts';
import { type FixOutcome, type IssuePlan, MAX_RUNS } from './fix-outcome.record.ts';
import type { IssueRecord } from './issue.record.ts';
import { statusAt } from './triage.ts';

/** What the runs after a time show of an issue. @param after Unix milliseconds */
export async function readFixOutcome(
  db: Db,
  { tenant_no: tenantNo, issue_id: issueId, agent_id: agentId }: IssueTable,
  after: number,
): Promise<FixOutcome> {
  const range = { after, limit: MAX_RUNS };
  const recurrences = await countRecurrencesAfter(db, tenantNo, issueId, range);
  const origin = await originOfIssue(db, tenantNo, issueId);
  const serviceName = origin?.serviceName ?? null;
  const isByAgent = agentId !== null && (await hasRuns(db, tenantNo, agentId, serviceName));
  const workflowId = isByAgent ? null : (origin?.workflowId ?? null);
  return {
    since: toRfc3339(after),
    // The issue can also be found in runs in which its agent has no step.
    run_count: Math.max(await countRuns(), recurrences),
    recurrence_count: recurrences,
    agent_id: isByAgent ? agentId : null,
    workflow_id: workflowId,
  };

  async function countRuns(): Promise<number> {
    if (isByAgent) return countAgentRunsAfter(db, tenantNo, { agentId: agentId!, serviceName }, range);
    return workflowId === null ? 0 : countWorkflowRunsAfter(db, tenantNo, workflowId, range);
  }
}

/** When the newest fix of an issue took effect: an applied plan, or its resolution by a person; null without either. */
export function newestFixAt({ last_resolved_at }: IssueTable, plans: readonly IssuePlanRow[]): number | null {
  const times = plans.flatMap((plan) => appliedAt(plan) ?? []);
  if (last_resolved_at !== null) times.push(last_resolved_at);
  return times.length === 0 ? null : Math.max(...times);
}

/** When the plan was applied; null if it is not in effect. */
function appliedAt({ status, applied_at }: Pick<HealingOperationTable, 'status' | 'applied_at'>): number | null {
  return status === 'applied' ? applied_at : null;
}

const MAX_PLANS = 20;

/** The newest plans of an issue. */
export async function toIssuePlans(db: Db, issue: IssueTable, plans: readonly IssuePlanRow[]): Promise<IssuePlan[]> {
  const records: IssuePlan[] = [];
  for (const plan of plans.slice(0, MAX_PLANS)) {
    const since = appliedAt(plan);
    records.push({
      operation_id: plan.operation_id,
      fix_id: plan.fix_id,
      title: plan.title,
      status: plan.status as IssuePlan['status'],
      fix_outcome: since === null ? null : await readFixOutcome(db, issue, since),
    });
  }
  return records;
}

/** The issue that a plan fixes, and whether the plan holds. */
export interface FixedIssue {
  issue: Pick<IssueRecord, 'issue_id' | 'title' | 'severity' | 'status'>;
  /** Null unless the plan is applied. */
  outcome: FixOutcome | null;
}

/** By the id of the plan; a plan without an issue is omitted. */
export async function readFixedIssues(
  db: Db,
  tenantNo: number,
  plans: readonly HealingOperationTable[],
  now: number,
): Promise<Map<string, FixedIssue>> {
  const fixed = new Map<string, FixedIssue>();
  for (const plan of plans) {
    const issue = plan.issue_id === null ? null : await readIssue(db, tenantNo, plan.issue_id);
    if (issue === null) continue;
    const since = appliedAt(plan);
    fixed.set(plan.operation_id, {
      issue: {
        issue_id: issue.issue_id,
        title: issue.title,
        severity: issue.severity as IssueRecord['severity'],
        status: statusAt(issue, now),
      },
      outcome: since === null ? null : await readFixOutcome(db, issue, since),
    });
  }
  return fixed;
}
