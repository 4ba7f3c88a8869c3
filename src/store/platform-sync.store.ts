import type { Db } from './connection.ts';
import type { PlatformSyncTable, RegistrationTable } from './integration-tables.ts';

export async function readSync(db: Db, tenantNo: number, registrationId: string): Promise<PlatformSyncTable | null> {
  const row = await db
    .selectFrom('platform_syncs')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('registration_id', '=', registrationId)
    .executeTakeFirst();
  return row ?? null;
}

export async function saveSync(db: Db, row: PlatformSyncTable): Promise<void> {
  const { tenant_no: _no, registration_id: _id, ...values } = row;
  await db
    .insertInto('platform_syncs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_no', 'registration_id']).doUpdateSet(values))
    .execute();
}

/** Leases the longest due sync without a lease of an integration, until `until`; the previous holder can no longer change it. */
export async function leaseSync(
  db: Db,
  integration: string,
  lease: { token: string; owner: string; now: number; until: number },
): Promise<PlatformSyncTable | null> {
  const row = await db
    .updateTable('platform_syncs')
    .set({
      status: 'running',
      lease_token: lease.token,
      lease_owner: lease.owner,
      leased_until: lease.until,
      updated_at: lease.now,
    })
    .where((where) =>
      where(
        where.refTuple('tenant_no', 'registration_id'),
        'in',
        where
          .selectFrom('platform_syncs as due')
          .innerJoin('registrations as of', (join) =>
            join.onRef('of.tenant_no', '=', 'due.tenant_no').onRef('of.registration_id', '=', 'due.registration_id'),
          )
          .select(['due.tenant_no', 'due.registration_id'])
          .where('of.integration', '=', integration)
          .where('due.run_at', '<=', lease.now)
          .where('due.leased_until', '<=', lease.now)
          .orderBy('due.run_at')
          .limit(1)
          .$asTuple('tenant_no', 'registration_id'),
      ),
    )
    .where('leased_until', '<=', lease.now)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Changes a sync that is still leased under this token. @returns false if it was deleted or taken over */
export async function updateLeasedSync(
  db: Db,
  { tenant_no, registration_id, lease_token }: PlatformSyncTable,
  values: Partial<PlatformSyncTable>,
): Promise<boolean> {
  const result = await db
    .updateTable('platform_syncs')
    .set(values)
    .where('tenant_no', '=', tenant_no)
    .where('registration_id', '=', registration_id)
    .where('lease_token', '=', lease_token)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Whether a sync of another tenant is due. */
export async function isAnotherSyncDue(
  db: Db,
  integration: string,
  { tenant_no }: PlatformSyncTable,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('platform_syncs')
    .innerJoin('registrations as of', (join) =>
      join
        .onRef('of.tenant_no', '=', 'platform_syncs.tenant_no')
        .onRef('of.registration_id', '=', 'platform_syncs.registration_id'),
    )
    .select('run_at')
    .where('of.integration', '=', integration)
    .where('platform_syncs.tenant_no', '!=', tenant_no)
    .where('run_at', '<=', now)
    .where('leased_until', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When the next sync of an integration is due; null if none is. */
export async function nextSyncDue(db: Db, integration: string): Promise<number | null> {
  const row = await db
    .selectFrom('platform_syncs')
    .innerJoin('registrations as of', (join) =>
      join
        .onRef('of.tenant_no', '=', 'platform_syncs.tenant_no')
        .onRef('of.registration_id', '=', 'platform_syncs.registration_id'),
    )
    .select(['run_at', 'leased_until'])
    .where('of.integration', '=', integration)
    .where('run_at', 'is not', null)
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst();
  return row?.run_at == null ? null : Math.max(row.run_at, row.leased_until);
}

/** Registrations of a kind, of all tenants, in pages. */
export async function* eachRegistration(db: Db, integration: string, kind: string): AsyncGenerator<RegistrationTable> {
  for (let last: RegistrationTable | null = null; ; ) {
    const after: RegistrationTable | null = last;
    let query = db
      .selectFrom('registrations')
      .selectAll()
      .where('integration', '=', integration)
      .where('kind', '=', kind)
      .orderBy('tenant_no')
      .orderBy('registration_id')
      .limit(ROWS_PER_READ);
    if (after)
      query = query.where((where) =>
        where(where.refTuple('tenant_no', 'registration_id'), '>', where.tuple(after.tenant_no, after.registration_id)),
      );
    const rows: RegistrationTable[] = await query.execute();
    yield* rows;
    if (rows.length < ROWS_PER_READ) return;
    last = rows.at(-1) ?? null;
  }
}

const ROWS_PER_READ = 500;
