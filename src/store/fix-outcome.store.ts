import type { Db } from './connection.ts';
import { countRows } from './count-rows.ts';
import type { HealingOperationTable } from './healing-tables.ts';
import { countedDetections } from './issue.store.ts';

export type IssuePlanRow = Pick<
  HealingOperationTable,
  'operation_id' | 'fix_id' | 'title' | 'status' | 'applied_at'
> & {
  issue_id: string;
};

/** Plans of the issues, newest first. */
export async function listPlansOfIssues(
  db: Db,
  tenantNo: number,
  issueIds: readonly string[],
): Promise<IssuePlanRow[]> {
  if (issueIds.length === 0) return [];
  const rows = await db
    .selectFrom('healing_operations')
    .select(['operation_id', 'issue_id', 'fix_id', 'title', 'status', 'applied_at'])
    .where('tenant_no', '=', tenantNo)
    .where('issue_id', 'in', issueIds)
    .orderBy('operation_id', 'desc')
    .execute();
  return rows as IssuePlanRow[];
}

/** The runs that the outcome of a fix is about. */
export interface RunOrigin {
  /** Null: every service. */
  serviceName: string | null;
  workflowId: string | null;
}

/** The origin of the newest run with the issue. The service is the same for every run of an issue. */
export async function originOfIssue(db: Db, tenantNo: number, issueId: string): Promise<RunOrigin | null> {
  const row = await countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select(['traces.service_name', 'traces.workflow_id'])
    .where('detections.issue_id', '=', issueId)
    .orderBy('detections.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { serviceName: row.service_name, workflowId: row.workflow_id };
}

/** Runs of an agent, in one service if it is given. */
function runsOfAgent(db: Db, tenantNo: number, agentId: string, serviceName: string | null) {
  return db
    .selectFrom('trace_agents')
    .innerJoin('traces', (join) =>
      join
        .onRef('traces.tenant_no', '=', 'trace_agents.tenant_no')
        .onRef('traces.trace_id', '=', 'trace_agents.trace_id'),
    )
    .select('trace_agents.trace_id')
    .where('trace_agents.tenant_no', '=', tenantNo)
    .where('trace_agents.agent_id', '=', agentId)
    .$if(serviceName !== null, (query) => query.where('traces.service_name', '=', serviceName));
}

/** Whether a stored run of the service has the agent. */
export async function hasRuns(db: Db, tenantNo: number, agentId: string, serviceName: string | null): Promise<boolean> {
  const row = await runsOfAgent(db, tenantNo, agentId, serviceName).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Analyzed runs of an agent that began after a time; stops at `limit`. */
export async function countAgentRunsAfter(
  db: Db,
  tenantNo: number,
  { agentId, serviceName }: { agentId: string; serviceName: string | null },
  { after, limit }: { after: number; limit: number },
): Promise<number> {
  const runs = runsOfAgent(db, tenantNo, agentId, serviceName).where('trace_agents.started_at', '>', after);
  return countRows(db, runs.limit(limit).as('some'));
}

/** Analyzed runs of a workflow that began after a time; stops at `limit`. */
export async function countWorkflowRunsAfter(
  db: Db,
  tenantNo: number,
  workflowId: string,
  { after, limit }: { after: number; limit: number },
): Promise<number> {
  const runs = db
    .selectFrom('traces')
    .select('trace_id')
    .where('tenant_no', '=', tenantNo)
    .where('workflow_id', '=', workflowId)
    .where('started_at', '>', after);
  return countRows(db, runs.limit(limit).as('some'));
}

/** Runs that began after a time and have a detection of the issue; stops at `limit`. */
export async function countRecurrencesAfter(
  db: Db,
  tenantNo: number,
  issueId: string,
  { after, limit }: { after: number; limit: number },
): Promise<number> {
  const limited = countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select('detections.trace_id')
    .distinct()
    .where('detections.issue_id', '=', issueId)
    // A detection is not older than its run, so that this reads only a part of the index.
    .where('detections.created_at', '>', after)
    .where('traces.started_at', '>', after)
    .limit(limit)
    .as('some');
  return countRows(db, limited);
}
