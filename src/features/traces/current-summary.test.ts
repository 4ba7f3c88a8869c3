import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { AppError } from '../../core/app-error.ts';
import type { TraceFilter } from '../../store/trace-list.store.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { currentSummaries } from './current-summary.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const TRACE = traceIdOf(1);
const NO_FILTER: TraceFilter = { agentId: null, status: null, from: null, to: null };
const PAGE = { page: 1, pageSize: 200, cursor: null };
const list = async (filter: Partial<TraceFilter> = {}) =>
  (await store.services.traces.list(tenantId, { ...NO_FILTER, ...filter }, PAGE)).items;
const READERS = [
  ['alone', async () => (await store.services.traces.get(tenantId, TRACE)).value()],
  ['in a list', async () => (await list())[0]],
  ['in a list that a worker reads', async () => (await list({ search: 'part' }))[0]],
] as const;

describe.each(READERS)('the summary of a run, %s', (_name, read) => {
  const [planner, tool, writer, root] = runSpans(1);

  it('covers the stored spans before the first analysis', async () => {
    await store.send(tenantId, [planner!, tool!]);
    expect(await read()).toMatchObject({
      status: 'running',
      analyzed: false,
      analysis: { state: 'pending' },
      agent_ids: ['planner'],
      total_tokens: 11,
      models: ['gpt-4o-mini'],
      cost_usd: expect.any(Number),
    });
  });

  it('covers spans that came after the last analysis', async () => {
    await store.send(tenantId, [planner!, tool!]);
    await store.settle(30_000);
    await store.send(tenantId, [writer!]);
    expect(await read()).toMatchObject({
      status: 'running',
      analyzed: false,
      agent_ids: ['planner', 'writer'],
      total_tokens: 22,
    });
  });

  it('does not change with the analysis, apart from the status', async () => {
    await store.send(tenantId, [planner!, tool!, writer!, root!]);
    const { analyzed, analysis, status, quality_score, grade, ...before } = (await read())!;
    await store.settle();
    expect(await read()).toMatchObject(before);
  });

  it('names the framework before the first analysis', async () => {
    const langgraph = { ...planner!, scope: { name: 'openinference.instrumentation.langchain', version: '1' } };
    await store.send(tenantId, [{ ...langgraph, attributes: { ...planner!.attributes, 'langgraph.node': 'plan' } }]);
    expect((await read())!.framework).not.toBe('unknown');
  });
});

it('a list computes the summaries of a bounded number of spans, runs without any analysis first', async () => {
  const runs = Array.from({ length: 30 }, (_, at) => runSpans(at + 1).slice(0, 3));
  await store.send(tenantId, runs.flat());
  await store.db.updateTable('traces').set({ span_count: 400 }).execute();
  await store.db
    .updateTable('traces')
    .set({ analyzed_version: 1 })
    .where('trace_id', 'in', [traceIdOf(29), traceIdOf(30)])
    .execute();
  const items = await list();
  const current = items.filter(({ total_tokens }) => total_tokens === 22).map(({ trace_id }) => trace_id);
  expect(current).toHaveLength(12);
  expect(current).not.toContain(traceIdOf(30));
});

it('a list shows the stored summary of a run whose spans cannot be read', async () => {
  await store.send(tenantId, [...runSpans(1).slice(0, 3), ...runSpans(2).slice(0, 3)]);
  await store.db
    .updateTable('span_chunks')
    .set({ data: Buffer.from('broken') })
    .where('trace_id', '=', TRACE)
    .execute();
  const tokens = (await list()).map(({ trace_id, total_tokens }) => [trace_id, total_tokens]);
  expect(Object.fromEntries(tokens)).toEqual({ [TRACE]: 0, [traceIdOf(2)]: 22 });
});

describe('while no worker is free', () => {
  const failing = (error: Error): TaskRunner => ({
    isAvailable: true,
    start: () => Promise.reject(error),
    close: async () => {},
  });
  const readWith = async (error: Error) => {
    await store.send(tenantId, runSpans(1));
    const rows = await store.db.selectFrom('traces').selectAll().execute();
    return currentSummaries(rows, { tasks: failing(error), tenantNo: 1 });
  };

  it.each(['unavailable', 'backpressure'] as const)('a list shows the stored summaries: %s', async (code) => {
    expect(await readWith(new AppError(code, 'Too much waits.'))).toEqual(new Map());
  });

  it('another error is reported', async () => {
    await expect(readWith(new Error('broken'))).rejects.toThrow('broken');
  });
});
