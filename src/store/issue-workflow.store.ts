import { sql } from 'kysely';
import type { Db } from './connection.ts';
import { countedDetections } from './issue.store.ts';

/** A workflow of runs with an issue. */
export interface IssueWorkflow {
  issueId: string;
  workflowId: string;
  name: string;
  serviceName: string | null;
  source: string;
}

/** At most `limit` workflows of each issue, that of the newest run first; detections marked as false are omitted. */
export async function readIssueWorkflows(
  db: Db,
  tenantNo: number,
  issueIds: readonly string[],
  limit: number,
): Promise<IssueWorkflow[]> {
  if (issueIds.length === 0) return [];
  const place = sql<number>`row_number() over (
    partition by detections.issue_id order by max(traces.started_at) desc, traces.workflow_id)`;
  const ranked = countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select(['detections.issue_id', 'traces.workflow_id', place.as('place')])
    .where('detections.issue_id', 'in', issueIds)
    .where('traces.workflow_id', 'is not', null)
    .groupBy(['detections.issue_id', 'traces.workflow_id']);
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .innerJoin('workflows', 'workflows.workflow_id', 'ranked.workflow_id')
    .select([
      'ranked.issue_id as issueId',
      'workflows.workflow_id as workflowId',
      'workflows.name',
      'workflows.service_name as serviceName',
      'workflows.source',
    ])
    .where('workflows.tenant_no', '=', tenantNo)
    .where('ranked.place', '<=', limit)
    .orderBy('ranked.issue_id')
    .orderBy('ranked.place')
    .execute();
  return rows.map((row) => ({ ...row, issueId: row.issueId as string }));
}
