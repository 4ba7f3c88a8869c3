import type { Db } from './connection.ts';
import type { AlertDeliveryTable } from './schema.ts';

export interface DeliveryKey {
  tenant_no: number;
  message_id: string;
  channel: string;
  target: string;
}

/** The destination of one channel's messages. */
export type Receiver = Omit<DeliveryKey, 'message_id'>;

export async function insertDeliveries(db: Db, rows: readonly AlertDeliveryTable[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('alert_deliveries').values(rows).execute();
}

/**
 * Leases up to `limit` due deliveries for `leaseMs`. If the process ends, its leases are released. One statement, so that
 * two processes never lease the same one.
 */
export async function leaseDeliveries(
  db: Db,
  {
    now,
    leaseMs,
    limit,
    owner,
    except = { receivers: [], tenants: [] },
  }: {
    now: number;
    leaseMs: number;
    limit: number;
    owner: string;
    /** Nothing is leased for these. */
    except?: { receivers: readonly Receiver[]; tenants: readonly number[] };
  },
): Promise<AlertDeliveryTable[]> {
  const rows = await db
    .updateTable('alert_deliveries')
    .set((update) => ({ leased_until: now + leaseMs, lease_owner: owner, attempts: update('attempts', '+', 1) }))
    .where((where) =>
      where(
        where.refTuple('tenant_no', 'message_id', 'channel', 'target'),
        'in',
        where
          .selectFrom('alert_deliveries as due')
          .select(['due.tenant_no', 'due.message_id', 'due.channel', 'due.target'])
          .where('due.state', '=', 'pending')
          .where('due.next_at', '<=', now)
          .where('due.leased_until', '<=', now)
          .$if(except.tenants.length > 0, (query) => query.where('due.tenant_no', 'not in', [...except.tenants]))
          .$if(except.receivers.length > 0, (query) =>
            query.where((busy) =>
              busy.not(
                busy.or(
                  except.receivers.map(({ tenant_no, channel, target }) =>
                    busy.and({ 'due.tenant_no': tenant_no, 'due.channel': channel, 'due.target': target }),
                  ),
                ),
              ),
            ),
          )
          .orderBy('due.next_at')
          .orderBy('due.message_id')
          .limit(limit)
          .$asTuple('tenant_no', 'message_id', 'channel', 'target'),
      ),
    )
    .where('leased_until', '<=', now)
    .returningAll()
    .execute();
  return rows.sort((one, other) => (one.message_id < other.message_id ? -1 : 1));
}

export async function updateDelivery(db: Db, key: DeliveryKey, values: Partial<AlertDeliveryTable>): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set(values)
    .where('tenant_no', '=', key.tenant_no)
    .where('message_id', '=', key.message_id)
    .where('channel', '=', key.channel)
    .where('target', '=', key.target)
    .execute();
}

/** Extends the lease of a delivery. @returns false if another process has it, or it is no longer pending */
export async function renewLease(db: Db, row: AlertDeliveryTable, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_deliveries')
    .set({ leased_until: until })
    .where('tenant_no', '=', row.tenant_no)
    .where('message_id', '=', row.message_id)
    .where('channel', '=', row.channel)
    .where('target', '=', row.target)
    .where('state', '=', 'pending')
    .where('leased_until', '=', row.leased_until)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Postpones everything queued for one receiver to this time or later. */
export async function postponeDeliveries(db: Db, receiver: Receiver, until: number): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({ next_at: until })
    .where('tenant_no', '=', receiver.tenant_no)
    .where('channel', '=', receiver.channel)
    .where('target', '=', receiver.target)
    .where('state', '=', 'pending')
    .where('next_at', '<', until)
    .execute();
}

/** Fails everything queued for a channel. */
export async function failDeliveries(db: Db, tenantNo: number, channel: string, reason: string): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set({ state: 'failed', last_error: reason, leased_until: 0 })
    .where('tenant_no', '=', tenantNo)
    .where('channel', '=', channel)
    .where('state', '=', 'pending')
    .execute();
}

/** By message id. */
export async function deliveriesOfMessages(
  db: Db,
  tenantNo: number,
  messageIds: readonly string[],
): Promise<Map<string, AlertDeliveryTable[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('message_id', 'in', messageIds)
    .orderBy('channel')
    .orderBy('target')
    .execute();
  return Map.groupBy(rows, (row) => row.message_id);
}

/** When the next delivery can be attempted; leased ones count from the end of their lease. */
export async function nextDelivery(db: Db, now: number): Promise<number | null> {
  const row = await db
    .selectFrom('alert_deliveries')
    .select(['next_at', 'leased_until'])
    .where('state', '=', 'pending')
    .where('leased_until', '<=', now)
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_at ?? null;
}
