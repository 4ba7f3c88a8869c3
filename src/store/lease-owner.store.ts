import type { Db } from './connection.ts';
import type { LeaseOwnerTable } from './job-tables.ts';

/** Tables whose leases end with their owner. */
const LEASED_TABLES = ['jobs', 'import_jobs', 'operation_jobs', 'platform_syncs', 'alert_deliveries'] as const;

export function listLeaseOwners(db: Db): Promise<LeaseOwnerTable[]> {
  return db.selectFrom('lease_owners').selectAll().execute();
}

export async function registerLeaseOwner(db: Db, row: LeaseOwnerTable): Promise<void> {
  await db
    .insertInto('lease_owners')
    .values(row)
    .onConflict((conflict) => conflict.column('owner_id').doNothing())
    .execute();
}

export async function heartbeatLeaseOwner(db: Db, ownerId: string): Promise<void> {
  await db
    .updateTable('lease_owners')
    .set((update) => ({ heartbeat: update('heartbeat', '+', 1) }))
    .where('owner_id', '=', ownerId)
    .execute();
}

/** Releases all leases of the owner and deletes it; call it in a transaction. @returns the number of rows */
export async function releaseLeaseOwner(db: Db, ownerId: string): Promise<number> {
  let count = 0n;
  for (const table of LEASED_TABLES) {
    const result = await db
      .updateTable(table as 'jobs')
      .set({ leased_until: 0, lease_owner: null })
      .where('lease_owner', '=', ownerId)
      .executeTakeFirst();
    count += result.numUpdatedRows;
  }
  // The request ended with its process: a repeated request runs it again.
  const requests = await db
    .deleteFrom('idempotency_keys')
    .where('lease_owner', '=', ownerId)
    .where('status', 'is', null)
    .executeTakeFirst();
  await db.deleteFrom('lease_owners').where('owner_id', '=', ownerId).execute();
  return Number(count + requests.numDeletedRows);
}
