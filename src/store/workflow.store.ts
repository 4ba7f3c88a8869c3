import { sql } from 'kysely';
import type { WorkflowTable } from './analytics-tables.ts';
import type { Db } from './connection.ts';
import { contains } from './contains.ts';
import { isOpenAt } from './issue-state.store.ts';
import { inBatches } from './transaction.ts';

export interface WorkflowFilter {
  groupId: string | null;
  source: string | null;
  /** In name or service, ignoring case. */
  text: string | null;
}

const SEARCHED_COLUMNS = sql<string>`workflows.name || ' ' || coalesce(workflows.service_name, '')`;

/** Most recently seen first. */
export function listWorkflows(
  db: Db,
  tenantNo: number,
  filter: WorkflowFilter,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<WorkflowTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll().orderBy('last_seen_at', 'desc').orderBy('workflow_id', 'desc');
  const { after } = range;
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('last_seen_at', 'workflow_id'), '<', where.tuple(after.at, after.id)),
    );
  }
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countWorkflows(db: Db, tenantNo: number, filter: WorkflowFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, { groupId, source, text }: WorkflowFilter) {
  let query = db.selectFrom('workflows').where('tenant_no', '=', tenantNo);
  if (groupId !== null) query = query.where('group_id', '=', groupId);
  if (source !== null) query = query.where('source', '=', source);
  if (text !== null) query = query.where(contains(SEARCHED_COLUMNS, text));
  return query;
}

/** The subset of the ids that are workflows of the tenant. */
export async function knownWorkflows(db: Db, tenantNo: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('workflows')
    .select('workflow_id')
    .where('tenant_no', '=', tenantNo)
    .where('workflow_id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.workflow_id));
}

const ROWS_PER_READ = 1_000;
const IDS_PER_STATEMENT = 500;

/** All workflows of the tenant by id, read in pages. */
export async function* eachWorkflow(db: Db, tenantNo: number): AsyncGenerator<WorkflowTable> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('workflows')
      .selectAll()
      .where('tenant_no', '=', tenantNo)
      .where('workflow_id', '>', last)
      .orderBy('workflow_id')
      .limit(ROWS_PER_READ)
      .execute();
    yield* rows;
    if (rows.length < ROWS_PER_READ) return;
    last = rows[rows.length - 1]!.workflow_id;
  }
}

/** Assigns workflows to a group manually. */
export async function assignWorkflows(
  db: Db,
  tenantNo: number,
  ids: readonly string[],
  groupId: string,
): Promise<void> {
  for (const slice of inBatches(ids, IDS_PER_STATEMENT)) {
    await db
      .updateTable('workflows')
      .set({ group_id: groupId, is_manual: 1 })
      .where('tenant_no', '=', tenantNo)
      .where('workflow_id', 'in', slice)
      .execute();
  }
}

/** Assigns workflows to a group, or with null to none; manual assignments are kept. */
export async function assignAutomatically(
  db: Db,
  tenantNo: number,
  ids: readonly string[],
  groupId: string | null,
): Promise<void> {
  for (const slice of inBatches(ids, IDS_PER_STATEMENT)) {
    await db
      .updateTable('workflows')
      .set({ group_id: groupId })
      .where('tenant_no', '=', tenantNo)
      .where('workflow_id', 'in', slice)
      .where('is_manual', '=', 0)
      .execute();
  }
}

/** Removes a workflow from the group. @returns whether it was in it */
export async function unassignWorkflow(
  db: Db,
  tenantNo: number,
  groupId: string,
  workflowId: string,
): Promise<boolean> {
  const freed = await db
    .updateTable('workflows')
    .set({ group_id: null, is_manual: 0 })
    .where('tenant_no', '=', tenantNo)
    .where('group_id', '=', groupId)
    .where('workflow_id', '=', workflowId)
    .returning('workflow_id')
    .execute();
  await dropEmptyWorkflows(db, tenantNo);
  return freed.length > 0;
}

/** Removes all workflows from the group. */
export async function unassignWorkflows(db: Db, tenantNo: number, groupId: string): Promise<void> {
  await db
    .updateTable('workflows')
    .set({ group_id: null, is_manual: 0 })
    .where('tenant_no', '=', tenantNo)
    .where('group_id', '=', groupId)
    .execute();
  await dropEmptyWorkflows(db, tenantNo);
}

/** Deletes workflows without traces and without a manual group. */
export async function dropEmptyWorkflows(db: Db, tenantNo: number): Promise<void> {
  await db
    .deleteFrom('workflows')
    .where('tenant_no', '=', tenantNo)
    .where('trace_count', '=', 0)
    .where('is_manual', '=', 0)
    .execute();
}

/** Open issues by the workflow of their newest run. */
export async function openIssuesByWorkflow(db: Db, tenantNo: number, now: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ workflow_id: string; count: number }>`
    select workflow_id, count(*) as count from (
      select (
        select traces.workflow_id from detections
        join traces on traces.tenant_no = detections.tenant_no and traces.trace_id = detections.trace_id
        where detections.tenant_no = issues.tenant_no and detections.issue_id = issues.issue_id
          and detections.withdrawn_at is null and coalesce(detections.is_valid, 1) = 1
        order by detections.created_at desc limit 1
      ) as workflow_id
      from issues where tenant_no = ${tenantNo} and ${isOpenAt(now)}
    ) as open_issues
    where workflow_id is not null group by workflow_id`.execute(db);
  return new Map(rows.map((row) => [row.workflow_id, Number(row.count)]));
}
