import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import { newId, type Random } from '../../core/id.ts';
import { deleteTraceRows } from '../../store/delete-trace.ts';
import type { Database } from '../../store/schema.ts';
import {
  countTenants,
  deleteTenantData,
  insertTenant,
  isFirstRun,
  listTenants,
  listTenantsWithTraces,
  readTenant,
  resolveTenant,
  type TenantRow,
} from '../../store/tenant.store.ts';
import { listTraceSizes } from '../../store/trace-list.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { SCOPES } from '../_kit/caller.ts';
import { type Position, toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { addApiKey } from './api-key.service.ts';
import type { CallerCache } from './caller-cache.ts';
import type { HasStoreChanged } from './store-changes.ts';

export interface TenantRecord {
  tenant_id: string;
  name: string;
  created_at: string;
}

export interface TenantService {
  /**
   * Registers a tenant with a first key of all scopes, returned only this once.
   * @throws AppError `unauthenticated` with `isFirstRun` if the store has, or had, a tenant
   */
  create(input: { name: string; isFirstRun?: boolean }): Promise<TenantRecord & { api_key: string }>;
  /** Whether no tenant was ever created in this store. */
  isFirstRun(): Promise<boolean>;
  list(page: PageRequest): Promise<Page<TenantRecord>>;
  /** Tenants that have traces, oldest first. */
  withTraces(): Promise<TenantRecord[]>;
  /** @throws AppError `not_found` */
  get(tenantId: string): Promise<TenantRecord>;
  /** Deletes the tenant and all its data. @throws AppError `not_found` */
  delete(tenantId: string): Promise<void>;
  /** The tenant's number inside the database, cached for a minute; null if there is no such tenant. */
  resolve(tenantId: string): Promise<number | null>;
  /** @throws AppError `not_found` */
  tenantNoOf(tenantId: string): Promise<number>;
}

export interface TenantServiceOptions {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  callers: CallerCache;
  hasStoreChanged(): HasStoreChanged;
}

export function createTenantService(options: TenantServiceOptions): TenantService {
  const { db, clock, random, callers } = options;
  const numbers = createNumberCache(db, clock, options.hasStoreChanged());

  async function tenantNoOf(tenantId: string): Promise<number> {
    return (await numbers.resolve(tenantId)) ?? noSuchTenant();
  }

  return {
    isFirstRun: () => isFirstRun(db),
    async create({ name, isFirstRun: isFirstOnly = false }) {
      const tenant = { tenant_id: newId('ten', clock, random), name, created_at: clock.now() };
      return inTransaction(db, async (transaction) => {
        // Two concurrent first registrations: the second one finds the tenant of the first one here.
        if (isFirstOnly && !(await isFirstRun(transaction))) throwSecondTenant();
        const row = await insertTenant(transaction, tenant);
        const key = { name: 'first key', scopes: [...SCOPES], expiresAt: null };
        const { text } = await addApiKey(transaction, row.tenant_no, key, clock, random);
        return { ...toRecord(row), api_key: text };
      });
    },
    async list(page) {
      const { limit, offset, after } = toRange(page);
      const rows = await listTenants(db, { limit, offset, after: after?.id ?? null });
      return toPage(rows, await countTenants(db), page, { toItem: toRecord, positionOf });
    },
    withTraces: async () => (await listTenantsWithTraces(db)).map(toRecord),
    async get(tenantId) {
      return toRecord((await readTenant(db, tenantId)) ?? noSuchTenant());
    },
    async delete(tenantId) {
      await deleteTracesInSlices(db, (await resolveTenant(db, tenantId)) ?? noSuchTenant());
      await inTransaction(db, async (transaction) => {
        const tenantNo = (await resolveTenant(transaction, tenantId)) ?? noSuchTenant();
        await deleteTenantData(transaction, tenantNo);
      });
      numbers.forget(tenantId);
      callers.forgetTenant(tenantId);
    },
    resolve: (tenantId) => numbers.resolve(tenantId),
    tenantNoOf,
  };
}

const TRACES_PER_SLICE = 100;

/** Most of a tenant's rows, in short transactions: an interrupted deletion can be repeated. */
async function deleteTracesInSlices(db: Kysely<Database>, tenantNo: number): Promise<void> {
  for (let after = ''; ; ) {
    const sizes = await listTraceSizes(db, tenantNo, { after, limit: TRACES_PER_SLICE });
    const traceIds = sizes.map(({ traceId }) => traceId);
    if (traceIds.length === 0) return;
    await inTransaction(db, (transaction) => deleteTraceRows(transaction, tenantNo, traceIds));
    after = traceIds.at(-1) as string;
    await new Promise(setImmediate);
  }
}

function throwSecondTenant(): never {
  throw new AppError('unauthenticated', 'Registration is closed: the first tenant exists.');
}

function noSuchTenant(): never {
  throw new AppError('not_found', 'There is no such tenant.');
}

function positionOf(row: TenantRow): Position {
  return { at: row.created_at, id: row.tenant_id };
}

function toRecord(row: TenantRow): TenantRecord {
  return { tenant_id: row.tenant_id, name: row.name, created_at: toRfc3339(row.created_at) };
}

const TTL_MS = 60_000;
const MAX_NUMBERS = 10_000;

/** Numbers are never reused, so a stale entry refers to nothing, not to another tenant. */
function createNumberCache(db: Kysely<Database>, clock: Clock, hasStoreChanged: HasStoreChanged) {
  const numbers = new Map<string, { tenantNo: number; cachedAt: number }>();
  return {
    async resolve(tenantId: string): Promise<number | null> {
      if (hasStoreChanged()) numbers.clear();
      const known = numbers.get(tenantId);
      if (known && isWithin(known.cachedAt, clock.now(), TTL_MS)) return known.tenantNo;
      const tenantNo = await resolveTenant(db, tenantId);
      if (tenantNo === null) numbers.delete(tenantId);
      else numbers.set(tenantId, { tenantNo, cachedAt: clock.now() });
      if (numbers.size > MAX_NUMBERS) numbers.delete(numbers.keys().next().value as string);
      return tenantNo;
    },
    forget: (tenantId: string) => void numbers.delete(tenantId),
  };
}
