import type { Db } from './connection.ts';
import type { AlertFoldTable, AlertMessageTable, AlertTable } from './schema.ts';
import { inBatches } from './transaction.ts';

export async function insertAlert(db: Db, row: AlertTable): Promise<void> {
  await db.insertInto('alerts').values(row).execute();
}

export async function updateAlerts(
  db: Db,
  tenantNo: number,
  alertIds: readonly string[],
  values: Partial<AlertTable>,
): Promise<void> {
  for (const slice of inBatches(alertIds, IDS_PER_STATEMENT)) {
    await db
      .updateTable('alerts')
      .set(values)
      .where('tenant_no', '=', tenantNo)
      .where('alert_id', 'in', slice)
      .execute();
  }
}

const IDS_PER_STATEMENT = 500;

/** Tenants with held alerts that are due. */
export async function tenantsWithDueAlerts(db: Db, now: number): Promise<number[]> {
  const rows = await db
    .selectFrom('alerts')
    .select('tenant_no')
    .distinct()
    .where('state', '=', 'held')
    .where('release_at', '<=', now)
    .execute();
  return rows.map((row) => row.tenant_no);
}

/** Held alerts of a tenant that are due, oldest first. */
export function dueAlerts(db: Db, tenantNo: number, now: number): Promise<AlertTable[]> {
  return db
    .selectFrom('alerts')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('state', '=', 'held')
    .where('release_at', '<=', now)
    .orderBy('alert_id')
    .execute();
}

/** Makes all held alerts due at once, after a change of preferences. */
export async function makeHeldDue(db: Db, tenantNo: number, now: number): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ release_at: now })
    .where('tenant_no', '=', tenantNo)
    .where('state', '=', 'held')
    .execute();
}

export async function nextRelease(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('alerts')
    .select('release_at')
    .where('state', '=', 'held')
    .orderBy('release_at')
    .limit(1)
    .executeTakeFirst();
  return row?.release_at ?? null;
}

/** Newest first. */
export function listAlerts(
  db: Db,
  tenantNo: number,
  filter: AlertFilter,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<AlertTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll().orderBy('created_at', 'desc').orderBy('alert_id', 'desc');
  const { after } = range;
  if (after)
    query = query.where((where) =>
      where(where.refTuple('created_at', 'alert_id'), '<', where.tuple(after.at, after.id)),
    );
  return query.offset(range.offset).limit(range.limit).execute();
}

export interface AlertFilter {
  state: string | null;
  issueId: string | null;
}

export async function countAlerts(db: Db, tenantNo: number, filter: AlertFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, filter: AlertFilter) {
  let query = db.selectFrom('alerts').where('tenant_no', '=', tenantNo);
  if (filter.state !== null) query = query.where('state', '=', filter.state);
  if (filter.issueId !== null) query = query.where('issue_id', '=', filter.issueId);
  return query;
}

/** The newest alert about the detection itself, or about its withdrawal; null if no alert was written. */
export async function latestAlertOf(
  db: Db,
  tenantNo: number,
  detection: { detection_id: string; created_at: number },
  kind?: 'detection' | 'withdrawal',
): Promise<AlertTable | null> {
  const row = await db
    .selectFrom('alerts')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    // Limits the search to a range of the index by time.
    .where('created_at', '>=', detection.created_at)
    .where('detection_id', '=', detection.detection_id)
    .where('kind', 'in', kind === undefined ? ['detection', 'withdrawal'] : [kind])
    .orderBy('created_at', 'desc')
    .orderBy('alert_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertMessage(db: Db, row: AlertMessageTable): Promise<void> {
  await db.insertInto('alert_messages').values(row).execute();
}

export async function readMessages(
  db: Db,
  tenantNo: number,
  messageIds: readonly string[],
): Promise<Map<string, AlertMessageTable>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('alert_messages')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('message_id', 'in', messageIds)
    .execute();
  return new Map(rows.map((row) => [row.message_id, row]));
}

/** The fold of an issue that is still open at `now`. */
export async function readFold(db: Db, tenantNo: number, foldKey: string): Promise<AlertFoldTable | null> {
  const row = await db
    .selectFrom('alert_folds')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('fold_key', '=', foldKey)
    .executeTakeFirst();
  return row ?? null;
}

export async function writeFold(db: Db, row: AlertFoldTable): Promise<void> {
  const { tenant_no: _tenantNo, fold_key: _foldKey, ...values } = row;
  await db
    .insertInto('alert_folds')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_no', 'fold_key']).doUpdateSet(values))
    .execute();
}

/** Removes and returns folds that are over, oldest first; call it in the transaction that processes them. */
export async function dequeueClosedFolds(db: Db, now: number, limit: number): Promise<AlertFoldTable[]> {
  const rows = await db
    .deleteFrom('alert_folds')
    .where((where) =>
      where(
        where.refTuple('tenant_no', 'fold_key'),
        'in',
        where
          .selectFrom('alert_folds as due')
          .select(['due.tenant_no', 'due.fold_key'])
          .where('due.closes_at', '<=', now)
          .orderBy('due.closes_at')
          .limit(limit)
          .$asTuple('tenant_no', 'fold_key'),
      ),
    )
    .returningAll()
    .execute();
  return rows.sort((one, other) => one.closes_at - other.closes_at);
}

export async function nextFoldEnd(db: Db): Promise<number | null> {
  const row = await db.selectFrom('alert_folds').select('closes_at').orderBy('closes_at').limit(1).executeTakeFirst();
  return row?.closes_at ?? null;
}

/** Deletes alerts that were sent or dropped before `until`, with their messages and deliveries. */
export async function pruneAlerts(db: Db, until: number): Promise<void> {
  await db.deleteFrom('alerts').where('created_at', '<', until).where('state', '!=', 'held').execute();
  await db.deleteFrom('alert_deliveries').where('created_at', '<', until).where('state', '!=', 'pending').execute();
  await db.deleteFrom('alert_messages').where('created_at', '<', until).execute();
}
