import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';
import type { HealingOperationTable } from './healing-tables.ts';
import { isOpenAt } from './issue-state.store.ts';

export interface HealingFilter {
  status: string | null;
  fixType: string | null;
  detectionId: string | null;
  issueId: string | null;
  /** Whether the next step is a person's. */
  waiting: { is: boolean; at: number } | null;
  /** Only operations that were applied at some time. */
  wasApplied: boolean;
}

interface Range {
  after: { at: number; id: string } | null;
  offset: number;
  limit: number;
}

export async function insertHealingOperation(db: Db, row: HealingOperationTable): Promise<void> {
  await db.insertInto('healing_operations').values(row).execute();
}

export async function readHealingOperation(
  db: Db,
  tenantNo: number,
  operationId: string,
): Promise<HealingOperationTable | null> {
  const row = await db
    .selectFrom('healing_operations')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('operation_id', '=', operationId)
    .executeTakeFirst();
  return row ?? null;
}

/** Updates only if status and lease are unchanged. @returns whether they were */
export async function moveHealingOperation(
  db: Db,
  { tenant_no, operation_id, status, lease_token }: HealingOperationTable,
  values: Partial<HealingOperationTable>,
): Promise<boolean> {
  const result = await db
    .updateTable('healing_operations')
    .set(values)
    .where('tenant_no', '=', tenant_no)
    .where('operation_id', '=', operation_id)
    .where('status', '=', status)
    .where('lease_token', lease_token === null ? 'is' : '=', lease_token)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Newest first. */
export function listHealingOperations(
  db: Db,
  tenantNo: number,
  filter: HealingFilter,
  { after, offset, limit }: Range,
): Promise<HealingOperationTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll();
  query = filter.wasApplied
    ? query.orderBy('applied_at', 'desc').orderBy('operation_id', 'desc')
    : query.orderBy('operation_id', 'desc');
  if (after && filter.wasApplied) {
    query = query.where((where) =>
      where(where.refTuple('applied_at', 'operation_id'), '<', where.tuple(after.at, after.id)),
    );
  } else if (after) query = query.where('operation_id', '<', after.id);
  return query.offset(offset).limit(limit).execute();
}

export async function countHealingOperations(db: Db, tenantNo: number, filter: HealingFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Operations that were executed without approval since then. */
export async function countAutomatic(db: Db, tenantNo: number, sinceMs: number): Promise<number> {
  const row = await db
    .selectFrom('healing_operations')
    .select((select) => select.fn.countAll().as('count'))
    .where('tenant_no', '=', tenantNo)
    .where('policy', '=', 'auto')
    .where('created_at', '>=', sinceMs)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Operations that a process is executing, or was executing when it died. */
export function leasedHealingOperations(db: Db): Promise<HealingOperationTable[]> {
  return db
    .selectFrom('healing_operations')
    .selectAll()
    .where('status', '=', 'executing')
    .where('leased_until', 'is not', null)
    .execute();
}

function filtered(db: Db, tenantNo: number, filter: HealingFilter) {
  let query = db.selectFrom('healing_operations').where('tenant_no', '=', tenantNo);
  if (filter.status !== null) query = query.where('status', '=', filter.status);
  if (filter.fixType !== null) query = query.where('fix_type', '=', filter.fixType);
  if (filter.detectionId !== null) query = query.where('detection_id', '=', filter.detectionId);
  if (filter.issueId !== null) query = query.where('issue_id', '=', filter.issueId);
  if (filter.waiting !== null) {
    const isWaiting = waitsForPerson(filter.waiting.at);
    query = query.where(filter.waiting.is ? isWaiting : sql<boolean>`not ${isWaiting}`);
  }
  if (filter.wasApplied) query = query.where('applied_at', 'is not', null);
  return query;
}

/** Condition on `healing_operations`: the next step is a person's. @param now decides which ignored issues are open again */
export function waitsForPerson(now: number): RawBuilder<boolean> {
  return sql<boolean>`(
    healing_operations.status in ('pending_approval', 'approved', 'unknown')
    or (healing_operations.status = 'executing' and healing_operations.executor = 'manual')
    or (healing_operations.status = 'applied' and ${didNotHold(now)}))`;
}

/** Condition on an applied operation: its failure was detected again, and nothing was done about that yet. */
function didNotHold(now: number): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from issues
    where issues.tenant_no = healing_operations.tenant_no and issues.issue_id = healing_operations.issue_id
      and ${isOpenAt(now)}
      and exists (
        select 1 from detections
        join traces on traces.tenant_no = detections.tenant_no and traces.trace_id = detections.trace_id
        where detections.tenant_no = issues.tenant_no and detections.issue_id = issues.issue_id
          and detections.withdrawn_at is null and coalesce(detections.is_valid, 1) = 1
          and detections.created_at > healing_operations.applied_at
          and traces.started_at > healing_operations.applied_at
          and traces.started_at > coalesce(issues.last_resolved_at, 0))
      and not exists (
        select 1 from healing_operations as later
        where later.tenant_no = issues.tenant_no and later.issue_id = issues.issue_id
          and later.operation_id <> healing_operations.operation_id
          and (later.status in ('pending_approval', 'approved', 'executing', 'unknown')
            or (later.status = 'applied' and (later.applied_at, later.operation_id)
              > (healing_operations.applied_at, healing_operations.operation_id)))))`;
}
