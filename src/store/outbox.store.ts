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

/** Notes an event in the transaction that made it true; delivery comes later and survives a crash. */
export async function addToOutbox(db: Db, entry: OutboxEntry): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      tenant_no: entry.tenantNo,
      outbox_id: entry.outboxId,
      kind: entry.kind,
      payload: entry.payload,
      created_at: entry.createdAt,
      deliver_after: entry.createdAt,
      attempts: 0,
      delivered_at: null,
    })
    .execute();
}
