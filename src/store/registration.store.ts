import type { Db } from './connection.ts';
import type { RegistrationTable } from './integration-tables.ts';
import { inBatches } from './transaction.ts';

export interface RegistrationFilter {
  integration?: string | null;
  kind?: string | null;
  parentId?: string | null;
  externalId?: string | null;
}

export async function insertRegistration(db: Db, row: RegistrationTable): Promise<void> {
  await db.insertInto('registrations').values(row).execute();
}

export async function readRegistration(
  db: Db,
  tenantNo: number,
  registrationId: string,
): Promise<RegistrationTable | null> {
  const row = await db
    .selectFrom('registrations')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('registration_id', '=', registrationId)
    .executeTakeFirst();
  return row ?? null;
}

/** Of any tenant: a webhook URL names no tenant. */
export async function readRegistrationByToken(
  db: Db,
  integration: string,
  tokenHash: string,
): Promise<RegistrationTable | null> {
  const row = await db
    .selectFrom('registrations')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('integration', '=', integration)
    .executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export function listRegistrations(
  db: Db,
  tenantNo: number,
  filter: RegistrationFilter,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<RegistrationTable[]> {
  const { after } = range;
  let query = filtered(db, tenantNo, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('registration_id', 'desc');
  if (after)
    query = query.where((where) =>
      where(where.refTuple('created_at', 'registration_id'), '<', where.tuple(after.at, after.id)),
    );
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countRegistrations(db: Db, tenantNo: number, filter: RegistrationFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, { integration, kind, parentId, externalId }: RegistrationFilter) {
  let query = db.selectFrom('registrations').where('tenant_no', '=', tenantNo);
  if (integration != null) query = query.where('integration', '=', integration);
  if (kind != null) query = query.where('kind', '=', kind);
  if (parentId != null) query = query.where('parent_id', '=', parentId);
  if (externalId != null) query = query.where('external_id', '=', externalId);
  return query;
}

/** Registrations whose webhooks may be authenticated by an API key, including their encrypted secrets. */
export function registrationsWithSecrets(db: Db, tenantNo: number, integration: string): Promise<RegistrationTable[]> {
  return filtered(db, tenantNo, { integration }).selectAll().where('secrets', 'is not', null).execute();
}

/** Registrations of all tenants that have secrets, ordered by id. */
export function listSealedRegistrations(db: Db, page: { after: string; limit: number }): Promise<RegistrationTable[]> {
  return db
    .selectFrom('registrations')
    .selectAll()
    .where('secrets', 'is not', null)
    .where('registration_id', '>', page.after)
    .orderBy('registration_id')
    .limit(page.limit)
    .execute();
}

export async function updateRegistration(
  db: Db,
  { tenant_no, registration_id }: Pick<RegistrationTable, 'tenant_no' | 'registration_id'>,
  values: Partial<RegistrationTable>,
): Promise<void> {
  await db
    .updateTable('registrations')
    .set(values)
    .where('tenant_no', '=', tenant_no)
    .where('registration_id', '=', registration_id)
    .execute();
}

export async function deleteRegistrations(db: Db, tenantNo: number, ids: readonly string[]): Promise<void> {
  for (const slice of inBatches(ids, IDS_PER_STATEMENT)) {
    await db
      .deleteFrom('registrations')
      .where('tenant_no', '=', tenantNo)
      .where('registration_id', 'in', slice)
      .execute();
    await db
      .deleteFrom('platform_syncs')
      .where('tenant_no', '=', tenantNo)
      .where('registration_id', 'in', slice)
      .execute();
  }
}

const IDS_PER_STATEMENT = 500;

/** @returns false if the tenant has already used it */
export async function claimNonce(db: Db, tenantNo: number, nonce: string, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto('webhook_nonces')
    .values({ tenant_no: tenantNo, nonce, seen_at: now })
    .onConflict((conflict) => conflict.columns(['tenant_no', 'nonce']).doNothing())
    .returning('nonce')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function pruneNonces(db: Db, tenantNo: number, until: number): Promise<void> {
  await db.deleteFrom('webhook_nonces').where('tenant_no', '=', tenantNo).where('seen_at', '<', until).execute();
}
