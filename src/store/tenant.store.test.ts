import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedStore, openStore } from './open-store.ts';
import { deleteTenantData, insertTenant, TENANT_TABLES } from './tenant.store.ts';

let store: OpenedStore;
beforeEach(async () => {
  store = await openStore({ file: ':memory:', durability: 'normal' }, { now: () => 0 });
});
afterEach(() => store.close());

describe('deleteTenantData', () => {
  it('covers every table that has rows of tenants', async () => {
    const tables = await store.db.introspection.getTables();
    const owned = tables.filter((table) => table.columns.some((column) => column.name === 'tenant_no'));
    expect([...TENANT_TABLES].sort()).toEqual(owned.map((table) => table.name).sort());
  });

  it('deletes the rows of one tenant only', async () => {
    for (const name of ['a', 'b']) {
      const { tenant_no } = await insertTenant(store.db, { tenant_id: `ten_${name}`, name, created_at: 0 });
      const job = {
        kind: 'settle',
        key: name,
        run_at: 0,
        attempts: 0,
        leased_until: 0,
        priority: 0,
        lease_owner: null,
        last_error: null,
      };
      await store.db
        .insertInto('jobs')
        .values({ tenant_no, ...job })
        .execute();
    }
    await deleteTenantData(store.db, 1);
    expect(await store.db.selectFrom('jobs').select('key').execute()).toEqual([{ key: 'b' }]);
    expect(await store.db.selectFrom('tenants').select('name').execute()).toEqual([{ name: 'b' }]);
  });
});
