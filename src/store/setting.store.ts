import type { Json } from '../core/json.ts';
import type { Db } from './connection.ts';

/** A tenant's setting; null if it was never set. */
export async function readSetting(db: Db, tenantNo: number, name: string): Promise<Json> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('tenant_no', '=', tenantNo)
    .where('name', '=', name)
    .executeTakeFirst();
  return row ? (JSON.parse(row.value) as Json) : null;
}

/** Numbers of tenants that have set it, in ascending order. */
export async function tenantsWithSetting(
  db: Db,
  name: string,
  page: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('settings')
    .select('tenant_no')
    .where('name', '=', name)
    .where('tenant_no', '>', page.after)
    .orderBy('tenant_no')
    .limit(page.limit)
    .execute();
  return rows.map((row) => row.tenant_no);
}

export async function deleteSetting(db: Db, tenantNo: number, name: string): Promise<void> {
  await db.deleteFrom('settings').where('tenant_no', '=', tenantNo).where('name', '=', name).execute();
}

export async function writeSetting(db: Db, tenantNo: number, name: string, value: Json, now: number): Promise<void> {
  const text = JSON.stringify(value);
  await db
    .insertInto('settings')
    .values({ tenant_no: tenantNo, name, value: text, updated_at: now })
    .onConflict((conflict) => conflict.columns(['tenant_no', 'name']).doUpdateSet({ value: text, updated_at: now }))
    .execute();
}
