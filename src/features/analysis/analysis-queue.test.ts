import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { WorkerUnavailableError } from '../../core/worker-unavailable-error.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { AnalysisInput } from './analyze-chunks.ts';
import { createInThreadExecutor, type ExecutorState } from './executor.ts';

const models = createModelCatalog();
let store: StoreApp;
let order: string[];
let hold: (input: AnalysisInput) => Promise<void>;
let state: ExecutorState;

beforeEach(async () => {
  order = [];
  hold = async () => {};
  state = { isAvailable: true, since: null, lastError: null };
  const inner = createInThreadExecutor(models);
  store = await openStoreApp({
    dependencies: {
      executor: {
        ...inner,
        get state() {
          return state;
        },
        async run(input, place) {
          order.push(input.traceId);
          await hold(input);
          inner.share.charge(place?.tenantNo ?? 0, 100, store.clock.now());
          return inner.run(input, place);
        },
      },
    },
  });
});
afterEach(() => store.close());

const analysis = () => store.services.analysis;
const rowOf = (number: number) =>
  store.db.selectFrom('traces').selectAll().where('trace_id', '=', traceIdOf(number)).executeTakeFirstOrThrow();
const jobs = () => store.db.selectFrom('jobs').selectAll().where('kind', '=', 'settle').orderBy('key').execute();
const sendHistory = (tenantId: string, number: number) =>
  store.services.ingest.ingestSpans(tenantId, { spans: runSpans(number), rejections: [] }, { isHistory: true });
const feedAll = async () => {
  while ((await analysis().feed()) > 0);
};

describe('traces that are due', () => {
  it('of a quiet tenant do not wait for a flood', async () => {
    const [busy, quiet] = [await store.newTenant(), await store.newTenant()];
    for (let number = 1; number <= 60; number += 1) await store.send(busy, runSpans(number));
    await store.send(quiet, runSpans(99));
    store.clock.advance(2_000);
    await feedAll();
    expect(order).toHaveLength(61);
    expect(order.indexOf(traceIdOf(99))).toBeLessThan(10);
  });

  it('live ones go before history, also of their own tenant', async () => {
    const tenantId = await store.newTenant();
    for (let number = 1; number <= 30; number += 1) await sendHistory(tenantId, number);
    await store.send(tenantId, runSpans(99));
    store.clock.advance(2_000);
    await feedAll();
    expect(order.indexOf(traceIdOf(99))).toBe(0);
  });

  it('that came as history and live are live', async () => {
    const tenantId = await store.newTenant();
    for (let number = 1; number <= 3; number += 1) await sendHistory(tenantId, number);
    await store.send(tenantId, runSpans(3));
    expect((await jobs()).map(({ key, priority }) => [key, priority])).toEqual([
      [traceIdOf(1), 1],
      [traceIdOf(2), 1],
      [traceIdOf(3), 0],
    ]);
    await sendHistory(tenantId, 3);
    expect((await jobs()).at(-1)?.priority).toBe(0);
  });

  it('do not wait for a slow one', async () => {
    const tenantId = await store.newTenant();
    for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number));
    const slow = Promise.withResolvers<void>();
    hold = ({ traceId }) => (traceId === traceIdOf(1) ? slow.promise : Promise.resolve());
    store.clock.advance(2_000);
    while ((await jobs()).length > 1) await analysis().feed();
    expect((await rowOf(1)).analyzed_version).toBeNull();
    expect((await rowOf(3)).analyzed_version).not.toBeNull();
    // What comes meanwhile does not wait either.
    await store.send(tenantId, runSpans(4));
    store.clock.advance(2_000);
    while ((await jobs()).length > 1) await analysis().feed();
    slow.resolve();
    await analysis().idle();
    expect(await jobs()).toEqual([]);
  });
});

describe('a machine without workers', () => {
  it('does not count as an attempt', async () => {
    const tenantId = await store.newTenant();
    await store.send(tenantId, runSpans(1));
    hold = async () => {
      throw new WorkerUnavailableError('no analysis worker can start: EMFILE');
    };
    for (let round = 0; round < 20; round += 1) await store.settle(2_000);
    expect(await jobs()).toMatchObject([{ attempts: 0, last_error: expect.stringContaining('EMFILE') }]);
    expect((await rowOf(1)).given_up_at).toBeNull();
    hold = async () => {};
    expect(await store.settle(2_000)).toBe(1);
    expect((await rowOf(1)).analyzed_version).not.toBeNull();
  });

  it('is reported by readiness and leases no trace', async () => {
    const tenantId = await store.newTenant();
    await store.send(tenantId, runSpans(1));
    state = { isAvailable: false, since: 5, lastError: 'EMFILE' };
    store.clock.advance(2_000);
    expect(await analysis().feed()).toBe(0);
    expect(await analysis().nextDueAt()).toBe(store.clock.now() + 1_000);
    expect(await jobs()).toMatchObject([{ attempts: 0, leased_until: 0 }]);
    expect((await store.services.health.check()).components.analysis_workers?.state).toBe('unavailable');
  });

  it('refuses an analysis on demand for the moment', async () => {
    const tenantId = await store.newTenant();
    await store.send(tenantId, runSpans(1));
    hold = async () => {
      throw new WorkerUnavailableError('none');
    };
    await expect(analysis().analyzeTrace(tenantId, traceIdOf(1))).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
    });
  });
});

describe('a server that stops', () => {
  it('does not count as an attempt for a trace in work', async () => {
    const tenantId = await store.newTenant();
    await store.send(tenantId, runSpans(1));
    const stopped = Promise.withResolvers<void>();
    hold = () => stopped.promise;
    store.clock.advance(2_000);
    const fed = analysis().feed();
    while (order.length === 0) await new Promise(setImmediate);
    analysis().close();
    stopped.reject(new Error('the analysis pool is closed'));
    await fed;
    await analysis().idle();
    expect(await jobs()).toMatchObject([{ attempts: 0, leased_until: 0 }]);
  });
});

describe('a trace that was given up', () => {
  it('reports that, and is analyzed again on request', async () => {
    const tenantId = await store.newTenant();
    for (const number of [1, 2]) await store.send(tenantId, runSpans(number));
    hold = async ({ traceId }) => {
      if (traceId === traceIdOf(1)) throw new Error('out of memory');
    };
    for (const ms of [2_000, 5_000, 10_000]) await store.settle(ms);
    const { traces } = store.services;
    const stateOf = async (number: number) => {
      const { items } = await traces.list(tenantId, ANY, { page: 1, pageSize: 50, cursor: null });
      return items.find(({ trace_id }) => trace_id === traceIdOf(number))?.analysis;
    };
    expect(await stateOf(2)).toEqual({ state: 'complete', reason: null, at: null, left_out: [] });
    const givenUp = { state: 'given_up', reason: 'out of memory', at: expect.any(String), left_out: [] };
    expect(await stateOf(1)).toEqual(givenUp);
    expect(await analysis().givenUp()).toBe(1);
    hold = async () => {};
    expect(await analysis().reanalyze(tenantId, null)).toEqual({ scheduled: 1, not_found: [] });
    expect((await stateOf(1))?.state).toBe('pending');
    expect(await jobs()).toMatchObject([{ key: traceIdOf(1), priority: 1 }]);
    expect(await store.settle(0)).toBe(1);
    expect((await stateOf(1))?.state).toBe('complete');
    expect(await analysis().givenUp()).toBe(0);
    const named = await analysis().reanalyze(tenantId, [traceIdOf(2), 'nowhere']);
    expect(named).toEqual({ scheduled: 1, not_found: ['nowhere'] });
  });
});

const ANY = { agentId: null, status: null, from: null, to: null };
