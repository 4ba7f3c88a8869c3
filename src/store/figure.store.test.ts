import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, toRequest } from '../../test/support/store-app.ts';
import { addFigures, INSTANCE_NO, readDayTraces, readFigures } from './figure.store.ts';

const FIGURES_MIGRATION = '0011-figures-billing';
let store: StoreApp;
beforeEach(async () => {
  store = await openStoreApp();
});
afterEach(() => store.close());

const figure = (value: number, name = 'traces', label = '') => ({ tenant_no: 1, name, label, value });

describe('figures', () => {
  it('add up, for the tenant and the instance', async () => {
    await addFigures(store.db, [figure(1), figure(2), { ...figure(4), tenant_no: 2 }]);
    await addFigures(store.db, [figure(1)]);
    const values = async (tenantNo: number) => (await readFigures(store.db, tenantNo)).map((row) => row.value);
    expect([await values(1), await values(2), await values(INSTANCE_NO)]).toEqual([[4], [4], [8]]);
  });

  it.each([0, -3, Number.NaN])('reject a negative amount: %d', async (value) => {
    await addFigures(store.db, [figure(5), figure(value)]);
    expect(await readFigures(store.db, 1)).toMatchObject([{ value: 5 }]);
  });

  it('by day are not among the others', async () => {
    await addFigures(store.db, [figure(7, 'day_traces', '2026-01-15')]);
    expect(await readDayTraces(store.db, 1, '2026-01-15')).toBe(7);
    expect(await readDayTraces(store.db, 1, '2026-01-16')).toBe(0);
    expect(await readFigures(store.db, 1)).toEqual([]);
    expect(await readDayTraces(store.db, INSTANCE_NO, '2026-01-15')).toBe(0);
  });

  it('from two processes add up', async () => {
    const tenantId = await store.newTenant();
    const second = await store.openSecond();
    try {
      const sends = [1, 2, 3, 4].map((run) =>
        (run % 2 ? store.services : second.services).ingest.ingest(tenantId, toRequest(runSpans(run))),
      );
      await Promise.all(sends);
      expect(await readFigures(store.db, INSTANCE_NO)).toMatchObject([
        { name: 'spans', value: 16 },
        { name: 'traces', value: 4 },
      ]);
    } finally {
      await second.close();
    }
  });

  it('start from the data of an older store', async () => {
    const tenantId = await store.newTenant();
    for (const run of [1, 2]) await store.send(tenantId, runSpans(run, { tokens: 100 }));
    await store.settle(5_000);
    const counted = await readFigures(store.db, INSTANCE_NO);
    const { migrator } = store.app.store;
    while ((await migrator.down()).every((name) => name !== FIGURES_MIGRATION));
    await migrator.up();
    expect(await readFigures(store.db, INSTANCE_NO)).toEqual(counted);
    expect(counted.map((row) => row.name)).toEqual(expect.arrayContaining(['cost_usd', 'spans', 'tokens', 'traces']));
  });
});
