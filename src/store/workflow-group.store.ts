import type { WorkflowGroupTable } from './analytics-tables.ts';
import type { Db } from './connection.ts';

/** A group with sums over its workflows. */
export interface WorkflowGroupRow extends WorkflowGroupTable {
  workflow_count: number;
  trace_count: number;
  scored_count: number;
  score_tenths: number;
}

function groupsOf(db: Db, tenantNo: number) {
  return db
    .selectFrom('workflow_groups')
    .leftJoin('workflows', (join) =>
      join
        .onRef('workflows.tenant_no', '=', 'workflow_groups.tenant_no')
        .onRef('workflows.group_id', '=', 'workflow_groups.group_id'),
    )
    .selectAll('workflow_groups')
    .select(({ fn, val }) => [
      fn.count('workflows.workflow_id').as('workflow_count'),
      fn.coalesce(fn.sum('workflows.trace_count'), val(0)).as('trace_count'),
      fn.coalesce(fn.sum('workflows.scored_count'), val(0)).as('scored_count'),
      fn.coalesce(fn.sum('workflows.score_tenths'), val(0)).as('score_tenths'),
    ])
    .where('workflow_groups.tenant_no', '=', tenantNo)
    .groupBy(['workflow_groups.tenant_no', 'workflow_groups.group_id']);
}

type Sums = Record<'workflow_count' | 'trace_count' | 'scored_count' | 'score_tenths', unknown>;

function toRow(row: WorkflowGroupTable & Sums): WorkflowGroupRow {
  return {
    ...row,
    workflow_count: Number(row.workflow_count),
    trace_count: Number(row.trace_count),
    scored_count: Number(row.scored_count),
    score_tenths: Number(row.score_tenths),
  };
}

/** Newest first; ids sort by creation time. */
export async function listWorkflowGroups(
  db: Db,
  tenantNo: number,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<WorkflowGroupRow[]> {
  let query = groupsOf(db, tenantNo).orderBy('workflow_groups.group_id', 'desc');
  if (range.after) query = query.where('workflow_groups.group_id', '<', range.after.id);
  return (await query.offset(range.offset).limit(range.limit).execute()).map(toRow);
}

export async function countWorkflowGroups(db: Db, tenantNo: number): Promise<number> {
  const row = await db
    .selectFrom('workflow_groups')
    .select((select) => select.fn.countAll().as('count'))
    .where('tenant_no', '=', tenantNo)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export async function readWorkflowGroup(db: Db, tenantNo: number, groupId: string): Promise<WorkflowGroupRow | null> {
  const row = await groupsOf(db, tenantNo).where('workflow_groups.group_id', '=', groupId).executeTakeFirst();
  return row ? toRow(row) : null;
}

export async function isGroupNameTaken(
  db: Db,
  tenantNo: number,
  name: string,
  exceptId: string | null,
): Promise<boolean> {
  let query = db
    .selectFrom('workflow_groups')
    .select('group_id')
    .where('tenant_no', '=', tenantNo)
    .where('name', '=', name);
  if (exceptId !== null) query = query.where('group_id', '!=', exceptId);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function insertWorkflowGroup(db: Db, row: WorkflowGroupTable): Promise<void> {
  await db.insertInto('workflow_groups').values(row).execute();
}

export async function updateWorkflowGroup(
  db: Db,
  tenantNo: number,
  groupId: string,
  values: Partial<WorkflowGroupTable>,
): Promise<void> {
  await db
    .updateTable('workflow_groups')
    .set(values)
    .where('tenant_no', '=', tenantNo)
    .where('group_id', '=', groupId)
    .execute();
}

export async function deleteWorkflowGroup(db: Db, tenantNo: number, groupId: string): Promise<void> {
  await db.deleteFrom('workflow_groups').where('tenant_no', '=', tenantNo).where('group_id', '=', groupId).execute();
}
