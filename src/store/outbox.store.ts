import type { Db } from './connection.ts';

export interface OutboxEntry {
  tenantNo: number;
  outboxId: string;
  /** Event name, e.g. `detection.created`. */
  kind: string;
  /** JSON. */
  payload: string;
  createdAt: number;
}

export interface NewOutboxEntry extends OutboxEntry {
  /** The trace that it concerns; deleted with it. */
  traceId?: string;
  /** Earliest delivery; if omitted, immediately. */
  deliverAfter?: number;
}

/** Records an event in the transaction that caused it; delivery happens later and survives a crash. */
export async function addToOutbox(db: Db, entry: NewOutboxEntry): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      tenant_no: entry.tenantNo,
      outbox_id: entry.outboxId,
      kind: entry.kind,
      trace_id: entry.traceId ?? null,
      payload: entry.payload,
      created_at: entry.createdAt,
      deliver_after: entry.deliverAfter ?? entry.createdAt,
      attempts: 0,
      delivered_at: null,
    })
    .execute();
}

/**
 * Removes and returns up to `limit` events of one kind, oldest first; call it in the transaction that processes
 * them. A concurrent process gets other events.
 */
export async function dequeueOutbox(db: Db, kind: string, now: number, limit: number): Promise<OutboxEntry[]> {
  const rows = await db
    .updateTable('outbox')
    .set({ delivered_at: now })
    .where((where) =>
      where(
        where.refTuple('tenant_no', 'outbox_id'),
        'in',
        where
          .selectFrom('outbox as due')
          .select(['due.tenant_no', 'due.outbox_id'])
          .where('due.delivered_at', 'is', null)
          .where('due.kind', '=', kind)
          .where('due.deliver_after', '<=', now)
          .orderBy('due.outbox_id')
          .limit(limit)
          .$asTuple('tenant_no', 'outbox_id'),
      ),
    )
    .where('delivered_at', 'is', null)
    .returning(['tenant_no', 'outbox_id', 'kind', 'payload', 'created_at'])
    .execute();
  return rows
    .map((row) => ({
      tenantNo: row.tenant_no,
      outboxId: row.outbox_id,
      kind: row.kind,
      payload: row.payload,
      createdAt: row.created_at,
    }))
    .sort((one, other) => (one.outboxId < other.outboxId ? -1 : 1));
}

/** Makes the queued events of a trace due now. */
export async function releaseFromOutbox(db: Db, tenantNo: number, traceId: string, now: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ deliver_after: now })
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .where('delivered_at', 'is', null)
    .where('deliver_after', '>', now)
    .execute();
}

/** When the oldest queued event is due; null if none is queued. */
export async function nextInOutbox(db: Db, kind: string): Promise<number | null> {
  const row = await db
    .selectFrom('outbox')
    .select('deliver_after')
    .where('delivered_at', 'is', null)
    .where('kind', '=', kind)
    .orderBy('deliver_after')
    .limit(1)
    .executeTakeFirst();
  return row?.deliver_after ?? null;
}

/** Deletes events that were processed before `until`. */
export async function pruneOutbox(db: Db, until: number): Promise<void> {
  await db.deleteFrom('outbox').where('delivered_at', '<', until).execute();
}
