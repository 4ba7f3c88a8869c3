import { sql } from 'kysely';
import type { Db } from './connection.ts';
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

/** Whether a stored run has the agent. */
export async function hasRuns(db: Db, tenantNo: number, agentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('trace_agents')
    .select('trace_id')
    .where('tenant_no', '=', tenantNo)
    .where('agent_id', '=', agentId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The workflow of the newest run with the issue. */
export async function workflowOfIssue(db: Db, tenantNo: number, issueId: string): Promise<string | null> {
  const row = await countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select('traces.workflow_id')
    .where('detections.issue_id', '=', issueId)
    .orderBy('detections.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.workflow_id ?? null;
}

/** Analyzed runs of an agent or a workflow that began after a time; stops at `limit`. */
export async function countRunsAfter(
  db: Db,
  tenantNo: number,
  of: { agentId: string } | { workflowId: string },
  { after, limit }: { after: number; limit: number },
): Promise<number> {
  const condition =
    'agentId' in of
      ? sql`trace_agents where agent_id = ${of.agentId}`
      : sql`traces where workflow_id = ${of.workflowId}`;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from ${condition} and tenant_no = ${tenantNo} and started_at > ${after} limit ${limit}
    ) as some`.execute(db);
  return Number(rows[0]?.count ?? 0);
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
  const row = await db
    .selectFrom(limited)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
