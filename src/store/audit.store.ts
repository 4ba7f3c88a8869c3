import type { Db } from './connection.ts';
import type { AuditLogTable } from './healing-tables.ts';

/** Tenant number of entries that concern no tenant, or a deleted one. */
export const INSTANCE_NO = 0;

export interface AuditFilter {
  /** An operation's id, or its noun. */
  action: string | null;
  actor: string | null;
  objectId: string | null;
  from: number | null;
  to: number | null;
}

export async function insertAuditEntry(db: Db, row: AuditLogTable): Promise<void> {
  await db.insertInto('audit_log').values(row).execute();
}

/** Inserts the completed entry, or completes an existing one. */
export async function completeAuditEntry(db: Db, row: AuditLogTable): Promise<void> {
  const { action, outcome, object_id, digest_before, digest_after } = row;
  await db
    .insertInto('audit_log')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_no', 'audit_id'])
        .doUpdateSet({ action, outcome, object_id, digest_before, digest_after }),
    )
    .execute();
}

/** Newest first. */
export function listAuditEntries(
  db: Db,
  tenantNo: number,
  filter: AuditFilter,
  { after, offset, limit }: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<AuditLogTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll().orderBy('at', 'desc').orderBy('audit_id', 'desc');
  if (after)
    query = query.where((where) => where(where.refTuple('at', 'audit_id'), '<', where.tuple(after.at, after.id)));
  return query.offset(offset).limit(limit).execute();
}

export async function countAuditEntries(db: Db, tenantNo: number, filter: AuditFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, { action, actor, objectId, from, to }: AuditFilter) {
  let query = db.selectFrom('audit_log').where('tenant_no', '=', tenantNo);
  if (action !== null)
    query = query.where((where) =>
      where.or([
        where('action', '=', action),
        // Every operation id begins with its noun and a dot; the character after the dot is the slash.
        where.and([where('action', '>=', `${action}.`), where('action', '<', `${action}/`)]),
      ]),
    );
  if (actor !== null) query = query.where('actor', '=', actor);
  if (objectId !== null) query = query.where('object_id', '=', objectId);
  if (from !== null) query = query.where('at', '>=', from);
  if (to !== null) query = query.where('at', '<', to);
  return query;
}
