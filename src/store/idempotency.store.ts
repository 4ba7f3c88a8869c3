import type { Db } from './connection.ts';
import type { IdempotencyTable } from './schema.ts';

/** Claims the key for a request that starts now; false if it is already claimed. */
export async function claimIdempotencyKey(
  db: Db,
  row: Pick<IdempotencyTable, 'tenant_no' | 'idempotency_key' | 'request_hash' | 'lease_owner' | 'created_at'>,
): Promise<boolean> {
  const result = await db
    .insertInto('idempotency_keys')
    .values({ ...row, status: null, response: null })
    .onConflict((conflict) => conflict.columns(['tenant_no', 'idempotency_key']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0;
}

export async function readIdempotencyKey(db: Db, tenantNo: number, key: string): Promise<IdempotencyTable | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

export async function completeIdempotencyKey(
  db: Db,
  tenantNo: number,
  key: string,
  answer: { status: number; response: string },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ ...answer, lease_owner: null })
    .where('tenant_no', '=', tenantNo)
    .where('idempotency_key', '=', key)
    .execute();
}

export async function releaseIdempotencyKey(db: Db, tenantNo: number, key: string): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('tenant_no', '=', tenantNo)
    .where('idempotency_key', '=', key)
    .execute();
}

/** Deletes responses older than `answeredBefore`, and requests without a known process that began before `startedBefore`. */
export async function expireIdempotencyKeys(
  db: Db,
  limits: { answeredBefore: number; startedBefore: number },
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where((where) =>
      where.or([
        where('created_at', '<', limits.answeredBefore),
        where.and([
          where('status', 'is', null),
          where('created_at', '<', limits.startedBefore),
          // A request whose process still runs is kept: its age may come from a clock that was set forward.
          where.or([
            where('lease_owner', 'is', null),
            where('lease_owner', 'not in', where.selectFrom('lease_owners').select('owner_id')),
          ]),
        ]),
      ]),
    )
    .execute();
}
