import type { Db } from './connection.ts';
import type { VendorFlushTable } from './figure-tables.ts';
import { inBatches } from './transaction.ts';

const ROWS_PER_STATEMENT = 100;

export function readFlushes(db: Db, tenantNo: number): Promise<VendorFlushTable[]> {
  return db.selectFrom('vendor_flushes').selectAll().where('tenant_no', '=', tenantNo).execute();
}

export async function saveFlushes(db: Db, rows: readonly VendorFlushTable[]): Promise<void> {
  for (const slice of inBatches(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('vendor_flushes')
      .values(slice)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'name', 'label']).doUpdateSet((update) => ({
          flushed: update.ref('excluded.flushed'),
          flushed_at: update.ref('excluded.flushed_at'),
          pending: update.ref('excluded.pending'),
          pending_at: update.ref('excluded.pending_at'),
        })),
      )
      .execute();
  }
}

/** The point in transit was accepted. Also valid if another process has released it meanwhile. */
export async function confirmFlushes(db: Db, rows: readonly VendorFlushTable[]): Promise<void> {
  for (const { tenant_no, name, label, pending, pending_at } of rows) {
    if (pending === null || pending_at === null) continue;
    await db
      .updateTable('vendor_flushes')
      .set({ flushed: pending, flushed_at: pending_at, pending: null, pending_at: null })
      .where('tenant_no', '=', tenant_no)
      .where('name', '=', name)
      .where('label', '=', label)
      .where('flushed', '<', pending)
      .execute();
  }
}

/** The point was certainly not accepted: its counts go into the next one. */
export async function releaseFlushes(db: Db, rows: readonly VendorFlushTable[]): Promise<void> {
  for (const { tenant_no, name, label, pending_at } of rows) {
    await db
      .updateTable('vendor_flushes')
      .set({ pending: null, pending_at: null })
      .where('tenant_no', '=', tenant_no)
      .where('name', '=', name)
      .where('label', '=', label)
      .where('pending_at', '=', pending_at)
      .execute();
  }
}
