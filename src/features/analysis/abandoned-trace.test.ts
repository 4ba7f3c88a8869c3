import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { queryIdleTraces } from '../../store/idle-trace.store.ts';
import { ABANDONED_AFTER_MS } from './abandoned-trace.ts';
import type { AnalysisInput } from './analyze-chunks.ts';
import { createInThreadExecutor } from './executor.ts';

const TRACE = traceIdOf(1);
const [ONE, TWO, THREE, ROOT] = runSpans(1) as [Span, Span, Span, Span];
const OPEN_ROOT = { ...ROOT, endNs: null };
const SESSION_ROOT = { ...OPEN_ROOT, attributes: { ...ROOT.attributes, 'misstep.session.ended_by': 'completed' } };
const DAY_MS = ABANDONED_AFTER_MS;
const HOUR_MS = 3_600_000;
const IDLE_MS = 30_000;

let store: StoreApp;
let tenantId: string;
/** What the analyses were given, in order. */
let inputs: AnalysisInput[];
let isBroken: boolean;
/** Clock that never steps, in milliseconds. */
let monotonic: number;

beforeEach(async () => {
  monotonic = 0;
  inputs = [];
  isBroken = false;
  const inner = createInThreadExecutor(createModelCatalog());
  const run: typeof inner.run = (input, place) => {
    if (isBroken) throw new Error('cannot be analyzed');
    inputs.push(input);
    return inner.run(input, place);
  };
  store = await openStoreApp({ dependencies: { executor: { ...inner, run }, monotonicMs: () => monotonic } });
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const row = () =>
  store.db
    .selectFrom('traces')
    .selectAll()
    .where('trace_id', '=', TRACE)
    .orderBy('tenant_no')
    .executeTakeFirstOrThrow();
const jobs = () => store.db.selectFrom('jobs').select('key').where('kind', '=', 'settle').execute();

/** Sends spans and lets them be analyzed as those of a run that goes on. */
async function run(...spans: Span[]): Promise<void> {
  await store.send(tenantId, spans);
  await store.settle(IDLE_MS);
  expect(await row()).toMatchObject({ status: 'running', is_settled: 0 });
}

/** Lets time go by, and sweeps. @returns how many traces were analyzed then */
async function sweepAfter(ms: number): Promise<number> {
  store.clock.advance(ms);
  await store.services.analysis.scheduleAbandoned();
  return store.settle(0);
}

/** The same with a clock that runs well. */
function sweepAfterSteady(ms: number): Promise<number> {
  monotonic += ms;
  return sweepAfter(ms);
}

describe('a run that sends no end', () => {
  it.each([
    ['an open root', [ONE, TWO, OPEN_ROOT], 'ok'],
    ['no root', [ONE, TWO], 'ok'],
    ['a second root that is open', [ONE, ROOT, { ...OPEN_ROOT, spanId: 'b0000000000000ff' }], 'ok'],
    [
      'an open root, and a failure as the last step',
      [ONE, { ...TWO, status: { code: 2, message: 'no' } }, OPEN_ROOT],
      'error',
    ],
  ] as [string, Span[], string][])(
    'has ended after 24 hours, and is analyzed once: %s',
    async (_name, spans, status) => {
      await run(...spans.slice(0, 1));
      await store.send(tenantId, spans.slice(1));
      await store.settle(IDLE_MS);
      const before = inputs.length;
      expect(await sweepAfter(DAY_MS - 1)).toBe(0);
      expect(await row()).toMatchObject({ status: 'running' });
      expect(await sweepAfter(1)).toBe(1);
      expect(await row()).toMatchObject({ status, is_settled: 1, ended_by: null, ended_at: expect.any(Number) });
      for (let day = 0; day < 3; day += 1) expect(await sweepAfter(DAY_MS)).toBe(0);
      expect(inputs.slice(before)).toMatchObject([{ isSettled: true, isAbandoned: true }]);
      expect(await jobs()).toEqual([]);
    },
  );

  it('has the end `unknown` as a session of a coding agent, for any earlier turn', async () => {
    await run(ONE, SESSION_ROOT);
    await sweepAfter(DAY_MS);
    expect(await row()).toMatchObject({ status: 'ok', ended_by: 'unknown' });
  });

  it('runs again when it is resumed after 3 days; nothing is lost or doubled', async () => {
    await run(ONE, OPEN_ROOT);
    await sweepAfter(DAY_MS);
    await sweepAfter(2 * DAY_MS);
    await run(TWO);
    expect(await row()).toMatchObject({ span_count: 3, ended_at: null });
    await store.send(tenantId, [THREE, ROOT]);
    await store.settle();
    expect(await row()).toMatchObject({ status: 'ok', is_settled: 1, span_count: 4 });
    const once = await store.newTenant();
    await store.send(once, [ONE, TWO, THREE, ROOT]);
    await store.settle();
    const { total_tokens, top_traces } = await store.services.analytics.cost(tenantId, 30);
    expect(top_traces).toHaveLength(1);
    expect(total_tokens).toBe((await store.services.analytics.cost(once, 30)).total_tokens);
  });

  it('runs again when an event comes between the sweep and the analysis', async () => {
    await run(ONE, OPEN_ROOT);
    store.clock.advance(DAY_MS);
    await store.services.analysis.scheduleAbandoned();
    await store.send(tenantId, [TWO]);
    await store.settle(IDLE_MS);
    expect(inputs.at(-1)).toMatchObject({ isSettled: false, isAbandoned: false });
    expect(await row()).toMatchObject({ status: 'running', span_count: 3 });
  });

  it('stays ended when it is analyzed again on request', async () => {
    await run(ONE, OPEN_ROOT);
    await sweepAfter(DAY_MS);
    await store.services.analysis.analyzeTrace(tenantId, TRACE);
    expect(await row()).toMatchObject({ status: 'ok', is_settled: 1 });
  });

  it('ends although the server was restarted in between', async () => {
    await run(ONE, OPEN_ROOT);
    store.clock.advance(DAY_MS);
    const first = await store.openSecond();
    await first.services.analysis.scheduleAbandoned();
    await first.close();
    const second = await store.openSecond();
    await second.services.analysis.scheduleAbandoned();
    expect(await second.services.analysis.runDue(10)).toBe(1);
    await second.close();
    expect(await row()).toMatchObject({ status: 'ok', is_settled: 1 });
  });

  it('is not tried again each minute when its analysis was given up', async () => {
    await run(ONE, OPEN_ROOT);
    isBroken = true;
    await sweepAfter(DAY_MS);
    for (let attempt = 0; attempt < 5; attempt += 1) await sweepAfter(60_000);
    expect(await row()).toMatchObject({ status: 'running', given_up_reason: 'cannot be analyzed' });
    expect(await jobs()).toEqual([]);
  });
});

describe('a clock that steps', () => {
  it('forwards by days: nothing is ended while the clock is unreliable', async () => {
    await run(ONE, OPEN_ROOT);
    await store.services.clockWatch.tick();
    expect(await sweepAfter(3 * DAY_MS)).toBe(0);
    expect(await row()).toMatchObject({ status: 'running' });
  });

  it('backwards by less than a day: the run waits longer', async () => {
    await run(ONE, OPEN_ROOT);
    expect(await sweepAfter(-DAY_MS / 2)).toBe(0);
    expect(await sweepAfter(DAY_MS)).toBe(0);
    expect(await sweepAfter(DAY_MS / 2)).toBe(1);
  });

  it('backwards by a year: a run of the wrong time ends after an hour, and a run with new events is running again', async () => {
    await run(ONE, OPEN_ROOT);
    await store.services.clockWatch.tick();
    expect(await sweepAfterSteady(HOUR_MS)).toBe(0);
    await store.services.clockWatch.tick();
    expect(await sweepAfter(-365 * DAY_MS)).toBe(0);
    await store.services.clockWatch.tick();
    expect(await sweepAfterSteady(HOUR_MS - 1)).toBe(0);
    expect(await sweepAfterSteady(1)).toBe(1);
    expect(await row()).toMatchObject({ status: 'ok' });
    await run(TWO);
    expect(await sweepAfterSteady(DAY_MS - 1)).toBe(0);
    expect(await sweepAfterSteady(1)).toBe(1);
  });

  it('is behind at the start of the server: no run ends before it is corrected', async () => {
    await run(ONE, OPEN_ROOT);
    store.clock.advance(-2 * DAY_MS);
    await store.services.clockWatch.tick();
    expect(await sweepAfter(60_000)).toBe(0);
    expect(await sweepAfter(2 * DAY_MS)).toBe(0);
    await store.services.clockWatch.tick();
    expect(await sweepAfter(60_000)).toBe(0);
    expect(await row()).toMatchObject({ status: 'running', is_settled: 0 });
  });

  it.each([
    ['behind at the start of the server', false, -2 * DAY_MS],
    ['ahead by a step', true, 2 * DAY_MS],
  ])('%s: an analysis on request does not end a run', async (_name, hasTicked, stepMs) => {
    await run(ONE, OPEN_ROOT);
    if (hasTicked) await store.services.clockWatch.tick();
    store.clock.advance(stepMs);
    await store.services.analysis.analyzeTrace(tenantId, TRACE);
    expect(inputs.at(-1)).toMatchObject({ isSettled: false, isAbandoned: false });
    expect(await row()).toMatchObject({ status: 'running', is_settled: 0 });
  });
});

it.each([2, null])('the sweep reads an index of running traces, not the whole table: after %s', async (after) => {
  const plan = await queryIdleTraces(store.db, { before: 1, after, limit: 10 }).explain<{ detail: string }>(
    undefined,
    sql`query plan`,
  );
  const reads = plan.map(({ detail }) => detail).filter((detail) => /\btraces\b/.test(detail));
  expect(reads).not.toEqual([]);
  for (const detail of reads) expect(detail).toContain('USING INDEX traces_running');
});
