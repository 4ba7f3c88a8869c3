import { once } from 'node:events';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SecondProcess } from '../../../test/support/second-process.ts';
import { openStoreApp, runSpans, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { AnalysisInput, AnalysisOutcome } from './analyze-chunks.ts';
import { type AnalysisExecutor, createInThreadExecutor } from './executor.ts';

type Run = AnalysisExecutor['run'];

const models = createModelCatalog();
const TRACE = traceIdOf(1);
const [ONE, TWO, THREE, ROOT] = runSpans(1) as [Span, Span, Span, Span];

let store: StoreApp;
let tenantId: string;
/** What the analyses were given, in order. */
let inputs: AnalysisInput[];
/** Stands before or in the place of an analysis. */
let meanwhile: (input: AnalysisInput) => Promise<void>;
let alter: (outcome: AnalysisOutcome, input: AnalysisInput) => AnalysisOutcome;

beforeEach(async () => {
  inputs = [];
  meanwhile = async () => {};
  alter = (outcome) => outcome;
  const inner = createInThreadExecutor(models);
  const run: Run = async (input) => {
    inputs.push(input);
    const outcome = await inner.run(input);
    await meanwhile(input);
    return alter(outcome, input);
  };
  store = await openStoreApp({ dependencies: { executor: { ...inner, run } } });
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const send = (...spans: Span[]) => store.send(tenantId, spans);
const row = (traceId = TRACE) =>
  store.db.selectFrom('traces').selectAll().where('trace_id', '=', traceId).executeTakeFirstOrThrow();
const jobs = () =>
  store.db
    .selectFrom('jobs')
    .select(['key', 'run_at', 'attempts', 'leased_until'])
    .where('kind', '=', 'settle')
    .execute();
const chunkCount = async () => (await store.db.selectFrom('span_chunks').select('sequence').execute()).length;
const isAnalyzed = async (traceId = TRACE) => {
  const { analyzed_version, version } = await row(traceId);
  return analyzed_version === version;
};

describe('a trace is judged', () => {
  it.each([
    ['not before 2 s after its root ended', [ROOT], 1_999, 0],
    ['2 s after its root ended', [ROOT], 2_000, 1],
    ['not before 30 s without a root', [ONE], 29_999, 0],
    ['30 s after its last span without a root', [ONE], 30_000, 1],
    ['not before 30 s while its root runs', [{ ...ROOT, endNs: null }], 29_999, 0],
    ['30 s after its last span while its root runs', [{ ...ROOT, endNs: null }], 30_000, 1],
  ])('%s', async (_name, spans, ms, taken) => {
    await send(...spans);
    expect(await store.settle(ms)).toBe(taken);
    expect(inputs).toHaveLength(taken);
    expect(await isAnalyzed()).toBe(taken === 1);
  });

  it('once, and deletes its job', async () => {
    await send(ONE, ROOT);
    expect(await store.settle()).toBe(1);
    expect(await store.settle(3_600_000)).toBe(0);
    expect(await jobs()).toEqual([]);
  });

  it.each([
    ['the root ended before', [[ROOT], [ONE]], 2_000],
    ['the root ends with it', [[ONE], [ROOT]], 2_000],
    ['no root yet', [[ONE], [TWO]], 30_000],
  ])('later when more comes: %s', async (_name, [first, second], settleMs) => {
    await send(...(first as Span[]));
    store.clock.advance(1_500);
    await send(...(second as Span[]));
    expect(await store.services.analysis.nextDueAt()).toBe(store.clock.now() + settleMs);
    expect(await store.settle(settleMs - 1)).toBe(0);
    expect(await store.settle(1)).toBe(1);
  });

  it.each([
    ['settled once its root has ended', [ONE, ROOT], true, 'ok'],
    ['as unsettled without a root', [ONE, TWO], false, 'running'],
    ['as unsettled while its root runs', [ONE, { ...ROOT, endNs: null }], false, 'running'],
  ])('%s', async (_name, spans, isSettled, status) => {
    await send(...spans);
    await store.settle(30_000);
    expect(inputs.map((input) => input.isSettled)).toEqual([isSettled]);
    expect(await row()).toMatchObject({ is_settled: isSettled ? 1 : 0, status });
  });

  it('again as settled when its root arrives', async () => {
    await send(ONE);
    await store.settle(30_000);
    await send(ROOT);
    expect(await row()).toMatchObject({ status: 'running', is_settled: 0 });
    expect(await isAnalyzed()).toBe(false);
    await store.settle();
    expect(inputs.map((input) => input.isSettled)).toEqual([false, true]);
    expect(await row()).toMatchObject({ status: 'ok', is_settled: 1, span_count: 2 });
  });

  it('again 2 s after a late span, with all its spans', async () => {
    await send(ONE, ROOT);
    await store.settle();
    await send(TWO);
    expect(await row()).toMatchObject({ status: 'running', is_settled: 0, span_count: 3 });
    expect(await store.settle(1_999)).toBe(0);
    expect(await store.settle(1)).toBe(1);
    expect(await row()).toMatchObject({ status: 'ok', span_count: 3 });
  });
});

describe('spans that come while an analysis runs', () => {
  beforeEach(async () => {
    await send(ONE, ROOT);
    meanwhile = async () => {
      meanwhile = async () => {};
      await send(TWO);
    };
    await store.settle();
  });

  it('discard its result', async () => {
    expect(await row()).toMatchObject({ analyzed_version: null, framework: 'unknown', status: 'running' });
    expect(await store.services.agents.list(tenantId)).toEqual([]);
    expect(await chunkCount()).toBe(2);
  });

  it('are judged with the rest 2 s later', async () => {
    expect(await store.settle(1_999)).toBe(0);
    expect(await store.settle(1)).toBe(1);
    expect(await row()).toMatchObject({ span_count: 3, status: 'ok' });
    expect(await chunkCount()).toBe(1);
    expect(await jobs()).toEqual([]);
  });
});

describe('a run that does not pause', () => {
  /** Span `n` of the trace comes `n` seconds after its start: each says the same, as in a loop. */
  const sendSecond = async (n: number, result = 'no rows') => {
    store.clock.advance(n === 0 ? 0 : 1_000);
    const startNs = BigInt(store.clock.now()) * 1_000_000n;
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': 'clerk',
      'gen_ai.tool.name': 'find_order',
      'gen_ai.tool.call.arguments': '{"id":7}',
      'gen_ai.tool.call.result': result,
    };
    await send({ ...ONE, spanId: spanIdOf(n + 10), name: 'find_order', startNs, endNs: startNs + 1n, attributes });
  };
  const dueNow = async () => (await store.services.analysis.nextDueAt())! <= store.clock.now();
  const found = async () =>
    store.db.selectFrom('detections').select(['subtype', 'withdrawn_at']).where('trace_id', '=', TRACE).execute();

  it('is judged after 5 s, and then at growing intervals', async () => {
    const analyzedAt: number[] = [];
    for (let second = 0; second <= 180; second += 1) {
      await sendSecond(second);
      if (await dueNow()) {
        expect(await store.settle(0)).toBe(1);
        analyzedAt.push(second);
      }
    }
    expect(analyzedAt).toEqual([5, 10, 20, 40, 80, 140]);
    expect(inputs.every(({ isSettled }) => !isSettled)).toBe(true);
  });

  it('has its loop reported and its summary right at the first look', async () => {
    for (let second = 0; second <= 5; second += 1) await sendSecond(second);
    await store.settle(0);
    expect(await found()).toEqual([{ subtype: 'exact_repetition', withdrawn_at: null }]);
    expect(await row()).toMatchObject({ status: 'running', agent_ids: '["clerk"]', span_count: 6, is_settled: 0 });
  });

  it('has a detection withdrawn that later spans disprove', async () => {
    for (let second = 0; second <= 5; second += 1) await sendSecond(second);
    await store.settle(0);
    const changes = Array.from({ length: 5 }, (_, n) => {
      const startNs = BigInt(store.clock.now() - n * 1_000 - 500) * 1_000_000n;
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.agent.name': 'clerk',
        'gen_ai.tool.name': 'update_order',
        'gen_ai.tool.call.arguments': `{"item":${n}}`,
        'gen_ai.tool.call.result': 'stored',
      };
      return { ...ONE, spanId: spanIdOf(n + 50), name: 'update_order', startNs, endNs: startNs + 1n, attributes };
    });
    await send(...changes, ROOT);
    await store.settle();
    expect(await found()).toEqual([{ subtype: 'exact_repetition', withdrawn_at: expect.any(Number) }]);
  });

  it('is judged although spans come while it is analyzed, and the next look waits its turn', async () => {
    for (let second = 0; second <= 4; second += 1) await sendSecond(second);
    meanwhile = async () => {
      meanwhile = async () => {};
      await sendSecond(6);
    };
    await sendSecond(5);
    await store.settle(0);
    expect(await found()).toHaveLength(1);
    expect(await row()).toMatchObject({ status: 'running', span_count: 7, is_settled: 0 });
    expect(await isAnalyzed()).toBe(false);
    expect(await dueNow()).toBe(false);
    expect(await store.settle(30_000)).toBe(1);
    expect(await isAnalyzed()).toBe(true);
  });

  it('keeps its place among the due ones while it waits for its turn', async () => {
    for (let second = 0; second <= 5; second += 1) await sendSecond(second);
    const dueAt = store.clock.now();
    for (let second = 6; second <= 20; second += 1) {
      await sendSecond(second);
      expect(await store.services.analysis.nextDueAt()).toBe(dueAt);
    }
    expect(await store.settle(0)).toBe(1);
    expect(await isAnalyzed()).toBe(true);
  });

  it('waits 2 s more when its root ends while it waits for its turn', async () => {
    for (let second = 0; second <= 8; second += 1) await sendSecond(second);
    await send(ROOT);
    expect(await store.services.analysis.nextDueAt()).toBe(store.clock.now() + 2_000);
  });

  it('keeps a newer analysis when an older one is finished after it', async () => {
    for (let second = 0; second <= 4; second += 1) await sendSecond(second);
    let newest: number | null = null;
    meanwhile = async () => {
      meanwhile = async () => {};
      await sendSecond(6);
      await store.services.analysis.analyzeTrace(tenantId, TRACE);
      newest = (await row()).analyzed_version;
      await sendSecond(7);
    };
    await sendSecond(5);
    await store.settle(0);
    expect(inputs.map(({ chunks }) => chunks.length)).toEqual([6, 7]);
    expect(await row()).toMatchObject({ analyzed_version: newest, span_count: 8 });
    expect(await store.settle(30_000)).toBe(1);
    expect(await isAnalyzed()).toBe(true);
  });

  it('is not analyzed with every span when its analysis fails', async () => {
    meanwhile = async () => {
      throw new Error('broken');
    };
    let tries = 0;
    for (let second = 0; second <= 20; second += 1) {
      await sendSecond(second);
      if (await dueNow()) tries += await store.settle(0);
    }
    expect(tries).toBeLessThanOrEqual(8);
    expect(tries).toBeGreaterThan(0);
  });
});

describe('an analysis that fails', () => {
  const failing = (traceId: string) => async (input: AnalysisInput) => {
    if (input.traceId === traceId) throw new Error('out of memory');
  };

  it('in one part names the detector and the cause', async () => {
    alter = (outcome) => ({
      ...outcome,
      crashed: [{ type: 'loop', message: 'broken' }],
      overran: [
        { type: 'injection', ms: 5_000 },
        { type: 'grounding', ms: null },
      ],
    });
    await send(ROOT);
    await store.settle();
    expect(store.problems).toEqual([
      `${TRACE}: detector loop failed: broken`,
      `${TRACE}: detector injection: cut off after 5.0 s`,
      `${TRACE}: detector grounding: not run, since the time for the trace was up`,
    ]);
    expect(await isAnalyzed()).toBe(true);
  });

  it('does not affect other traces', async () => {
    await send(ROOT, ...runSpans(2), ...runSpans(3));
    meanwhile = failing(traceIdOf(2));
    expect(await store.settle()).toBe(3);
    expect([await isAnalyzed(), await isAnalyzed(traceIdOf(2)), await isAnalyzed(traceIdOf(3))]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await jobs()).map((job) => job.key)).toEqual([traceIdOf(2)]);
  });

  it('is tried three times with growing pauses, and then given up', async () => {
    await send(ROOT);
    meanwhile = failing(TRACE);
    const taken: number[] = [];
    for (const ms of [2_000, 4_999, 1, 9_999, 1, 3_600_000]) taken.push(await store.settle(ms));
    expect(taken).toEqual([1, 0, 1, 0, 1, 0]);
    const [first, second, last] = store.problems;
    expect([first, second]).toEqual(Array(2).fill(`${TRACE}: out of memory`));
    expect(last).toBe(`${TRACE}: given up: out of memory`);
    expect(await row()).toMatchObject({ given_up_reason: 'out of memory', given_up_at: expect.any(Number) });
    expect(await jobs()).toEqual([]);
  });

  it('has its three tries again when new spans come', async () => {
    await send(ROOT);
    meanwhile = failing(TRACE);
    for (const ms of [2_000, 5_000, 10_000]) await store.settle(ms);
    await send(ONE);
    meanwhile = async () => {};
    expect(await store.settle()).toBe(1);
    expect(await isAnalyzed()).toBe(true);
  });

  it('succeeds at a later try', async () => {
    await send(ROOT);
    meanwhile = failing(TRACE);
    await store.settle();
    meanwhile = async () => {};
    expect(await store.settle(5_000)).toBe(1);
    expect(await isAnalyzed()).toBe(true);
  });

  it('is reported to the caller of an on-demand analysis', async () => {
    await send(ROOT);
    meanwhile = failing(TRACE);
    await expect(store.services.analysis.analyzeTrace(tenantId, TRACE)).rejects.toThrow('out of memory');
  });

  it('does not affect other traces when its result cannot be saved', async () => {
    await send(ROOT, ...runSpans(2), ...runSpans(3));
    alter = (outcome, { traceId }) =>
      traceId === traceIdOf(2) ? { ...outcome, summary: { ...outcome.summary, totalTokens: Number.NaN } } : outcome;
    for (const ms of [2_000, 5_000, 10_000]) await store.settle(ms);
    expect([await isAnalyzed(), await isAnalyzed(traceIdOf(2)), await isAnalyzed(traceIdOf(3))]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await jobs()).toEqual([]);
  });
});

describe('a worker that dies', () => {
  it('keeps its trace until the lease expires, then another worker leases it', async () => {
    await send(ROOT);
    let letGo = () => {};
    meanwhile = () =>
      new Promise((resolve) => {
        letGo = resolve;
      });
    store.clock.advance(2_000);
    const dead = store.services.analysis.runDue(10);
    while (inputs.length === 0) await new Promise(setImmediate);
    const second = await store.openSecond();
    try {
      store.clock.advance(119_999);
      expect(await second.services.analysis.runDue(10)).toBe(0);
      store.clock.advance(1);
      expect(await second.services.analysis.runDue(10)).toBe(1);
      expect(await isAnalyzed()).toBe(true);
    } finally {
      letGo();
      await dead;
      await second.close();
    }
    expect(await jobs()).toEqual([]);
  });
});

describe('two processes on one file', () => {
  it('share the traces: each is analyzed once', async () => {
    for (let number = 1; number <= 60; number += 1) await send(...runSpans(number));
    store.clock.advance(2_000);
    const workerData: SecondProcess = { dataFolder: dirname(store.file), now: store.clock.now(), limit: 3 };
    const second = new Worker(new URL('../../../test/support/second-process.ts', import.meta.url), { workerData });
    await once(second, 'message');
    const ended = once(second, 'message') as Promise<[number]>;
    let count = 0;
    for (let taken = -1; taken !== 0; count += taken) taken = await store.services.analysis.runDue(3);
    const [secondCount] = await ended;
    expect(count + secondCount).toBe(60);
    expect(new Set(inputs.map((input) => input.traceId)).size).toBe(count);
    const rows = await store.db.selectFrom('traces').select(['version', 'analyzed_version']).execute();
    expect(rows.every((each) => each.version === each.analyzed_version)).toBe(true);
    expect(await jobs()).toEqual([]);
  });
});

describe('after an analysis', () => {
  it('the chunks of a trace are one, with the same spans', async () => {
    for (const span of [ONE, TWO, THREE, ROOT]) await send(span);
    const before = await store.services.traces.spans(tenantId, TRACE);
    expect(await chunkCount()).toBe(4);
    await store.settle();
    expect(await chunkCount()).toBe(1);
    expect(await store.services.traces.spans(tenantId, TRACE)).toEqual(before);
    expect(before.map((span) => [span.spanId, span.startNs, span.endNs])).toEqual(
      [ONE, TWO, THREE, ROOT].map((span) => [span.spanId, span.startNs, span.endNs]),
    );
  });

  it('another one finds the same', async () => {
    await send(ONE, TWO, THREE, ROOT);
    await store.settle();
    const first = { ...(await row()), updated_at: 0 };
    await store.services.analysis.analyzeTrace(tenantId, TRACE);
    expect({ ...(await row()), updated_at: 0 }).toEqual(first);
  });
});

describe('asked for', () => {
  it('is done at once, whatever case the id has', async () => {
    await send(ONE);
    await store.services.analysis.analyzeTrace(tenantId, TRACE.toUpperCase());
    expect(await isAnalyzed()).toBe(true);
  });

  it.each([
    ['a trace that was not sent', traceIdOf(9)],
    ['no id at all', ''],
  ])('is not found: %s', async (_name, traceId) => {
    await expect(store.services.analysis.analyzeTrace(tenantId, traceId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not found for another tenant', async () => {
    await send(ROOT);
    const other = await store.newTenant();
    await expect(store.services.analysis.analyzeTrace(other, TRACE)).rejects.toMatchObject({ code: 'not_found' });
    expect(await isAnalyzed()).toBe(false);
  });

  it('for a tenant analyzes all its waiting traces, settled or not, and no other tenant', async () => {
    const other = await store.newTenant();
    for (let number = 1; number <= 120; number += 1) await store.send(tenantId, runSpans(number).slice(0, 2));
    await store.send(other, runSpans(500));
    await store.services.analysis.runAllNow(tenantId);
    expect(inputs).toHaveLength(120);
    expect((await jobs()).map((job) => job.key)).toEqual([traceIdOf(500)]);
    expect(inputs.every((input) => !input.isSettled)).toBe(true);
  });
});
