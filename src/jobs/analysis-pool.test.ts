import { afterEach, describe, expect, it } from 'vitest';
import { runSpans, traceIdOf } from '../../test/support/store-app.ts';
import { workerEntry } from '../app/runtime-assets.ts';
import { DETECTION_TYPES } from '../core/detection.ts';
import { WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import type { AnalysisInput } from '../features/analysis/analyze-chunks.ts';
import { type AnalysisExecutor, createInThreadExecutor } from '../features/analysis/executor.ts';
import { DEFAULT_DETECTION } from '../features/analysis/tenant-detection.ts';
import { demoSpans } from '../features/demo/demo-spans.ts';
import { createModelCatalog } from '../formats/model-catalog/catalog.ts';
import { encodeChunk } from '../store/span-chunk.ts';
import { type AnalysisPoolOptions, createAnalysisPool } from './analysis-pool.ts';

let pool: AnalysisExecutor;
afterEach(() => pool.close());

const openPool = (options: Partial<AnalysisPoolOptions> = {}) => {
  pool = createAnalysisPool({ size: 1, entry: workerEntry(), timeoutMs: 30_000, ...options });
  return pool;
};
const inputOf = (traceId: string, ...chunks: Uint8Array[]): AnalysisInput => ({
  traceId,
  chunks,
  isSettled: true,
  tenant: DEFAULT_DETECTION,
});

/** A worker that behaves as the trace id demands. */
const SCRIPTED_WORKER = `
  const { parentPort, threadId, workerData } = require('node:worker_threads');
  const plain = { compacted: null, crashed: [], overran: [], summary: { name: String(threadId) } };
  parentPort.on('message', ({ id, input }) => {
    const answer = (more = {}) => parentPort.postMessage({ id, output: { ...plain, ...more } });
    const spoils = (number) => !(input.without || []).includes(input.tenant.culprits[number - 1]);
    const [verb, ...numbers] = input.traceId.split(' ');
    const running = numbers.map(Number).find(spoils);
    if (numbers.length > 0) Atomics.store(new Int32Array(workerData.memory), 0, running === undefined ? 0 : running);
    if (numbers.length > 0 && running === undefined) return answer();
    const act = {
      answer,
      overrun: () => answer({ overran: [{ type: 'loop', ms: 5000 }] }),
      refuse: () => parentPort.postMessage({ id, failure: { message: 'refused' } }),
      throw: () => { throw new Error('broken'); },
      hang: () => { for (;;); },
      exit: () => process.exit(3),
    }[verb];
    act();
  });
  parentPort.postMessage('ready');
`;
const obedient = { code: SCRIPTED_WORKER };
/** `hang 2 5`: the second and the fifth detector hang, unless they are omitted. */
const failingInput = (traceId: string): AnalysisInput => ({
  ...inputOf(traceId),
  tenant: { ...DEFAULT_DETECTION, culprits: DETECTION_TYPES } as AnalysisInput['tenant'],
});
const nameOf = async (answer: ReturnType<AnalysisExecutor['run']>) => (await answer).summary.name;

describe('the analysis pool', { timeout: 60_000 }, () => {
  it('returns the same detections as the calling thread', async () => {
    const traces = [...demoSpans(Date.UTC(2026, 0, 15)), runSpans(1)];
    const inThread = createInThreadExecutor(createModelCatalog());
    const inWorker = openPool({ size: 2 });
    const inputs = traces.map((spans) => {
      const half = Math.ceil(spans.length / 2);
      return inputOf(spans[0]!.traceId, encodeChunk(spans.slice(0, half)).data, encodeChunk(spans.slice(half)).data);
    });
    const sameThread = await Promise.all(inputs.map((input) => inThread.run(input)));
    const otherThread = await Promise.all(inputs.map((input) => inWorker.run(input)));
    expect(otherThread).toEqual(sameThread);
    expect(sameThread.flatMap((outcome) => outcome.detections).length).toBeGreaterThan(0);
    expect(otherThread.every((outcome) => Buffer.isBuffer(outcome.compacted?.data))).toBe(true);
  });

  it('rejects bytes that are not a chunk, and analyzes the next trace', async () => {
    openPool();
    await expect(pool.run(inputOf(traceIdOf(1), Buffer.from('nonsense')))).rejects.toThrow(/unknown version/);
    const spans = runSpans(1);
    expect(await nameOf(pool.run(inputOf(traceIdOf(1), encodeChunk(spans).data)))).toBe('part 0');
  });
});

describe('a worker', { timeout: 60_000 }, () => {
  it('that rejects one trace keeps running', async () => {
    openPool({ entry: obedient });
    const before = await nameOf(pool.run(inputOf('answer')));
    await expect(pool.run(inputOf('refuse'))).rejects.toThrow('refused');
    expect(await nameOf(pool.run(inputOf('answer')))).toBe(before);
  });

  it.each([
    ['throws', 'throw', 'broken'],
    ['hangs', 'hang', 'longer than 8000 ms'],
    ['ends', 'exit', 'ended'],
  ])('that %s fails its trace and is replaced', async (_name, act, message) => {
    openPool({ entry: obedient, timeoutMs: act === 'hang' ? 8_000 : 30_000 });
    const before = await nameOf(pool.run(inputOf('answer')));
    const bad = expect(pool.run(inputOf(act))).rejects.toThrow(message);
    const next = pool.run(inputOf('answer'));
    await bad;
    expect(await nameOf(next)).not.toBe(before);
  });

  it.each([
    ['throws', 'throw 2', 'broken'],
    ['hangs', 'hang 2', 'longer than 8000 ms'],
    ['ends', 'exit 2', 'ended'],
    ['ends, and so does another', 'exit 2 5', 'ended'],
  ])('that %s in a detector is replaced, and the trace is judged without it', async (_name, traceId, message) => {
    openPool({ entry: obedient, timeoutMs: traceId.startsWith('hang') ? 8_000 : 30_000 });
    const before = await nameOf(pool.run(inputOf('answer')));
    const { crashed, summary } = await pool.run(failingInput(traceId));
    const culprits = traceId.split(' ').slice(1).map(Number);
    expect(crashed.map(({ type }) => type)).toEqual(culprits.map((number) => DETECTION_TYPES[number - 1]));
    expect(crashed.every((each) => each.message.includes(message))).toBe(true);
    expect(summary.name).not.toBe(before);
    expect(await pool.run(inputOf('answer'))).toMatchObject({ crashed: [], summary: { name: summary.name } });
  });

  it('that too many detectors end fails its trace', async () => {
    openPool({ entry: obedient });
    await expect(pool.run(failingInput('exit 2 3 4'))).rejects.toThrow('ended');
    expect(await nameOf(pool.run(inputOf('answer')))).toMatch(/\d/);
  });

  it('whose detector was interrupted is replaced', async () => {
    openPool({ entry: obedient });
    const first = await nameOf(pool.run(inputOf('answer')));
    const [spent, next] = [pool.run(inputOf('overrun')), pool.run(inputOf('answer'))];
    expect(await nameOf(spent)).toBe(first);
    expect(await nameOf(next)).not.toBe(first);
  });

  it('that hangs does not delay other workers', async () => {
    openPool({ entry: obedient, size: 2, timeoutMs: 20_000 });
    const hung = expect(pool.run(inputOf('hang'))).rejects.toThrow('closed');
    const names = await Promise.all(Array.from({ length: 5 }, () => nameOf(pool.run(inputOf('answer')))));
    expect(new Set(names).size).toBe(1);
    await pool.close();
    await hung;
  });

  it('that cannot start fails each trace at once', async () => {
    openPool({ entry: { url: new URL('file:///nowhere/worker.js') } });
    const all = await Promise.allSettled([pool.run(inputOf('a')), pool.run(inputOf('b'))]);
    expect(all.map((each) => each.status === 'rejected' && each.reason)).toEqual([
      expect.any(WorkerUnavailableError),
      expect.any(WorkerUnavailableError),
    ]);
  });
});

describe('closing', { timeout: 60_000 }, () => {
  it('rejects running, queued and later traces', async () => {
    openPool({ entry: obedient });
    const pending = [pool.run(inputOf('hang')), pool.run(inputOf('answer')), pool.run(inputOf('answer'))];
    const settled = Promise.allSettled(pending);
    await pool.close();
    const late = await Promise.allSettled([pool.run(inputOf('answer'))]);
    for (const each of [...(await settled), ...late]) {
      expect(each).toMatchObject({ status: 'rejected', reason: { message: 'the analysis pool is closed' } });
    }
  });
});
