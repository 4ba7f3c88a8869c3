import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import { DEMO_RUNS } from './demo-spans.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const storedTraces = () => store.db.selectFrom('traces').select(['trace_id', 'name']).execute();

it('stores every example run, and the same ones when it is repeated on the same day', async () => {
  const first = await store.services.demo.fill(tenantId);
  expect(first.trace_ids).toHaveLength(DEMO_RUNS.length);
  expect((await storedTraces()).map(({ trace_id }) => trace_id).sort()).toEqual(first.trace_ids.toSorted());
  expect(await store.services.demo.fill(tenantId)).toEqual(first);
  expect(await storedTraces()).toHaveLength(DEMO_RUNS.length);
});

it('detects a fault in every example run but the healthy one', async () => {
  const [healthy, ...faulty] = (await store.services.demo.fill(tenantId)).trace_ids;
  await store.settle();
  const rows = await store.db
    .selectFrom('detections')
    .select('trace_id')
    .where('severity', '<>', 'observation')
    .execute();
  const found = new Set(rows.map(({ trace_id }) => trace_id));
  expect(faulty.filter((traceId) => !found.has(traceId))).toEqual([]);
  expect(found.has(healthy!)).toBe(false);
});
