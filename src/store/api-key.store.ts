import type { Db } from './connection.ts';
import type { ApiKeyTable } from './schema.ts';

export async function insertApiKey(db: Db, row: ApiKeyTable): Promise<void> {
  await db.insertInto('api_keys').values(row).execute();
}

/** A key with the public id of its tenant. */
export type OwnedApiKey = ApiKeyTable & { tenant_id: string };

/** By the key's id alone: the tenant is not known yet. */
export async function findApiKey(db: Db, keyId: string): Promise<OwnedApiKey | null> {
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('tenants', 'tenants.tenant_no', 'api_keys.tenant_no')
    .selectAll('api_keys')
    .select('tenants.tenant_id')
    .where('api_keys.key_id', '=', keyId)
    .executeTakeFirst();
  return row ?? null;
}

export async function readApiKey(db: Db, tenantNo: number, keyId: string): Promise<ApiKeyTable | null> {
  const row = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return row ?? null;
}

/** Oldest first, including revoked ones. @param after lists what comes after this key id; `offset` is relative to it */
export function listApiKeys(
  db: Db,
  tenantNo: number,
  page: { limit: number; offset: number; after: string | null },
): Promise<ApiKeyTable[]> {
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .orderBy('key_id')
    .limit(page.limit)
    .offset(page.offset);
  if (page.after !== null) query = query.where('key_id', '>', page.after);
  return query.execute();
}

export async function countApiKeys(db: Db, tenantNo: number): Promise<number> {
  const row = await db
    .selectFrom('api_keys')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('tenant_no', '=', tenantNo)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Active keys that have one of the scopes. */
export async function countSeats(db: Db, tenantNo: number, scopes: readonly string[], now: number): Promise<number> {
  const rows = await db
    .selectFrom('api_keys')
    .select('scopes')
    .where('tenant_no', '=', tenantNo)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .execute();
  return rows.filter((row) => row.scopes.split(' ').some((scope) => scopes.includes(scope))).length;
}

export async function updateApiKey(
  db: Db,
  tenantNo: number,
  keyId: string,
  values: Partial<Pick<ApiKeyTable, 'secret_hash' | 'revoked_at'>>,
): Promise<void> {
  await db.updateTable('api_keys').set(values).where('tenant_no', '=', tenantNo).where('key_id', '=', keyId).execute();
}

export async function recordApiKeyUse(db: Db, keyId: string, at: number): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: at }).where('key_id', '=', keyId).execute();
}
