import { sql } from 'kysely';
import type { Db } from './connection.ts';
import type { Database, TenantTable } from './schema.ts';

export type TenantRow = Omit<TenantTable, 'tenant_no'> & { tenant_no: number };

/** Numbers are never reused, so that a running write for a deleted tenant cannot reach a newer one. */
export async function insertTenant(db: Db, tenant: Omit<TenantRow, 'tenant_no'>): Promise<TenantRow> {
  const row = { ...tenant, tenant_no: await nextTenantNo(db) };
  await db.insertInto('tenants').values(row).execute();
  return row;
}

const COUNTER = 'last_tenant_no';

async function nextTenantNo(db: Db): Promise<number> {
  const counted = await db
    .insertInto('instance')
    .values({ name: COUNTER, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`cast(cast(instance.value as integer) + 1 as text)` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  const highest = await db
    .selectFrom('tenants')
    .select((expression) => expression.fn.max('tenant_no').as('tenant_no'))
    .executeTakeFirst();
  const next = Math.max(Number(counted.value), Number(highest?.tenant_no ?? 0) + 1);
  if (next !== Number(counted.value)) {
    await db
      .updateTable('instance')
      .set({ value: String(next) })
      .where('name', '=', COUNTER)
      .execute();
  }
  return next;
}

/** Whether no tenant was ever created here; deleting the last one does not count. */
export async function isFirstRun(db: Db): Promise<boolean> {
  const counter = await db.selectFrom('instance').select('value').where('name', '=', COUNTER).executeTakeFirst();
  const any = await db.selectFrom('tenants').select('tenant_id').limit(1).executeTakeFirst();
  return counter === undefined && any === undefined;
}

export async function readTenant(db: Db, tenantId: string): Promise<TenantRow | null> {
  const row = await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
  return row ?? null;
}

/** The tenant's number inside the database; null if there is no such tenant. */
export async function resolveTenant(db: Db, tenantId: string): Promise<number | null> {
  const row = await db.selectFrom('tenants').select('tenant_no').where('tenant_id', '=', tenantId).executeTakeFirst();
  return row?.tenant_no ?? null;
}

/** The public id. @throws if there is no such tenant */
export async function tenantIdOf(db: Db, tenantNo: number): Promise<string> {
  const row = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_no', '=', tenantNo)
    .executeTakeFirstOrThrow();
  return row.tenant_id;
}

/** Oldest first. @param after lists what comes after this tenant id; `offset` is relative to it */
export function listTenants(
  db: Db,
  page: { limit: number; offset: number; after: string | null },
): Promise<TenantRow[]> {
  let query = db.selectFrom('tenants').selectAll().orderBy('tenant_id').limit(page.limit).offset(page.offset);
  if (page.after !== null) query = query.where('tenant_id', '>', page.after);
  return query.execute();
}

/** Tenants that have traces, oldest first. */
export function listTenantsWithTraces(db: Db): Promise<TenantRow[]> {
  return db
    .selectFrom('tenants')
    .selectAll()
    .where((where) =>
      where.exists(
        where.selectFrom('traces').select('trace_id').whereRef('traces.tenant_no', '=', 'tenants.tenant_no').limit(1),
      ),
    )
    .orderBy('tenant_id')
    .execute();
}

const TENANTS_PER_READ = 200;

/** The numbers of all tenants, read in pages. */
export async function* eachTenantNo(db: Db): AsyncGenerator<number> {
  for (let after: string | null = null; ; ) {
    const page: TenantRow[] = await listTenants(db, { limit: TENANTS_PER_READ, offset: 0, after });
    yield* page.map((row) => row.tenant_no);
    if (page.length < TENANTS_PER_READ) return;
    after = page[page.length - 1]!.tenant_id;
  }
}

export async function countTenants(db: Db): Promise<number> {
  const row = await db
    .selectFrom('tenants')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

type TenantOwned = {
  [Name in keyof Database]: Database[Name] extends { tenant_no: unknown } ? Name : never;
}[keyof Database];

/** Every table that holds rows of tenants; the tenants themselves come last. */
export const TENANT_TABLES = [
  'web_sessions',
  'sign_in_links',
  'api_keys',
  'trace_agents',
  'agents',
  'span_chunks',
  'conversations',
  'detections',
  'feedback',
  'issues',
  'jobs',
  'outbox',
  'alert_folds',
  'alert_deliveries',
  'alert_messages',
  'alerts',
  'idempotency_keys',
  'settings',
  'calibration_samples',
  'judge_answers',
  'judge_usage',
  'figures',
  'vendor_flushes',
  'subscriptions',
  'billing_events',
  'daily_figures',
  'workflows',
  'workflow_groups',
  'import_errors',
  'import_traces',
  'import_jobs',
  'operation_jobs',
  'healing_operations',
  'audit_log',
  'platform_syncs',
  'webhook_nonces',
  'registrations',
  'traces',
  'tenants',
] as const satisfies readonly TenantOwned[];

/** Tenant number that holds the sums of a tenant during a rebuild: no tenant has this number. */
export function rebuildTenantNo(tenantNo: number): number {
  return -tenantNo;
}

/** Deletes the tenant and all its data. */
export async function deleteTenantData(db: Db, tenantNo: number): Promise<void> {
  for (const table of TENANT_TABLES) {
    await db
      .deleteFrom(table as 'traces')
      .where('tenant_no', 'in', [tenantNo, rebuildTenantNo(tenantNo)])
      .execute();
  }
}
