import type { Db } from './connection.ts';
import type { HealingOperationTable } from './healing-tables.ts';

export interface HealingFilter {
  status: string | null;
  fixType: string | null;
  detectionId: string | null;
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
  if (filter.wasApplied) query = query.where('applied_at', 'is not', null);
  return query;
}
