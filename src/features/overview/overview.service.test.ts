import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { MAX_COUNTED } from '../../store/overview.store.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const START = 1_768_478_400_000;
const HOUR = 3_600_000;
const overview = async (since: number | null = null) => (await store.services.overview.get(tenantId, since)).value();

it('is all zeros in an empty store', async () => {
  const { traces, issues, detections, healing, imports, alerts, since } = await overview();
  expect(traces.has_any).toBe(false);
  const { has_any: _, ...counts } = traces;
  const all = [counts, issues, detections, healing, imports, alerts].flatMap((part) => Object.values(part));
  expect(new Set(all)).toEqual(new Set([0]));
  expect(since).toBe('2026-01-14T12:00:00.000Z');
});

it('counts what began since the last visit, what runs and what waits, of this tenant alone', async () => {
  const other = await store.newTenant();
  for (const [at, tenant] of [
    [1, tenantId],
    [2, tenantId],
    [3, other],
  ] as const)
    await store.send(tenant, runSpans(at, { startNs: BigInt(START - at * HOUR) * 1_000_000n }));
  expect((await overview(START - HOUR)).traces).toMatchObject({
    has_any: true,
    new: 1,
    running: 2,
    failed: 0,
    analysis_waiting: 2,
  });
  await store.settle();
  await store.db.updateTable('traces').set({ status: 'error' }).where('trace_id', '=', traceIdOf(2)).execute();
  const { traces, at } = await overview(START - 2 * HOUR);
  expect(traces).toMatchObject({ new: 2, failed: 1, running: 0, analysis_waiting: 0 });
  expect(at).toBe(new Date(store.clock.now()).toISOString());
});

it('counts issues by their status, and those that are open again after they were resolved until they are resolved again', async () => {
  const row = {
    tenant_no: 1,
    detection_type: 'loop',
    subtype: 'cyclic',
    agent_id: null,
    title: 'A loop',
    severity: 'warning',
    first_seen_at: START,
    last_seen_at: START,
  } as const;
  await store.db
    .insertInto('issues')
    .values(
      [
        { status: 'open', regressed_at: START },
        { status: 'open', regressed_at: null },
        { status: 'resolved', regressed_at: START },
        { status: 'ignored', regressed_at: null },
        { status: 'ignored', regressed_at: null, ignored_until: START + HOUR },
        { status: 'ignored', regressed_at: null, ignored_until: START - HOUR },
      ].map((state, at) => ({ ...row, ...state, issue_id: `iss_${at}`, fingerprint: `${at}` })),
    )
    .execute();
  expect((await overview()).issues).toMatchObject({ open: 3, regressed: 1, resolved: 1, ignored: 2 });
});

it('stops counting at a thousand', async () => {
  const [row] = await (async () => {
    await store.send(tenantId, runSpans(1));
    return store.db.selectFrom('traces').selectAll().execute();
  })();
  const copies = Array.from({ length: MAX_COUNTED + 5 }, (_, at) => ({ ...row!, trace_id: `copy ${at}` }));
  for (let from = 0; from < copies.length; from += 100)
    await store.db
      .insertInto('traces')
      .values(copies.slice(from, from + 100))
      .execute();
  expect(await overview(0)).toMatchObject({ most: MAX_COUNTED, traces: { new: MAX_COUNTED, running: MAX_COUNTED } });
});
