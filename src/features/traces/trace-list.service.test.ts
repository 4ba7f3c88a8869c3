import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { TRACE_ORDERS, type TraceOrder } from '../../core/trace-order.ts';
import type { TraceTable } from '../../store/schema.ts';
import type { TraceFilter } from '../../store/trace-list.store.ts';
import { scoresOfGrade } from '../detections/quality.ts';
import { FACETS } from './trace-facets.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const START = 1_768_478_400_000;
const HOUR = 3_600_000;
const NO_FILTER: TraceFilter = { agentId: null, status: null, from: null, to: null };

/** Analyzed runs an hour apart; `rows` says what is different about each. */
async function storeRuns(rows: Partial<TraceTable>[]): Promise<void> {
  for (const at of rows.keys()) {
    await store.send(tenantId, runSpans(at, { startNs: BigInt(START + at * HOUR) * 1_000_000n }));
  }
  await store.settle();
  for (const [at, row] of rows.entries()) {
    if (Object.keys(row).length === 0) continue;
    await store.db.updateTable('traces').set(row).where('trace_id', '=', traceIdOf(at)).execute();
  }
}

const numberOf = (traceId: string) => Number.parseInt(traceId.slice(-4), 16);
const found = async (filter: Partial<TraceFilter>, order?: TraceOrder) => {
  const page = { page: 1, pageSize: 200, cursor: null };
  const { items, total } = await store.services.traces.list(tenantId, { ...NO_FILTER, ...filter }, page, order);
  expect(total).toBe(items.length);
  return items.map(({ trace_id }) => numberOf(trace_id));
};
const facets = async (filter: Partial<TraceFilter> = {}, top = 8) =>
  (await store.services.traces.facets(tenantId, { ...NO_FILTER, ...filter }, top)).value();
const histogram = async (filter: Partial<TraceFilter> = {}, buckets = 60) =>
  (await store.services.traces.histogram(tenantId, { ...NO_FILTER, ...filter }, buckets)).value();

const RUNS: Partial<TraceTable>[] = [
  { cost_usd: 0.5, total_tokens: 900, models: '["gpt-4o"]', max_severity: 'critical', quality_score: 59.9 },
  { cost_usd: null, total_tokens: 20, models: '["gpt-4o","o3"]', max_severity: 'warning', quality_score: 60 },
  { cost_usd: 2, ended_at: null, models: '["gpt-4o-mini"]', quality_score: 89.9, service_name: 'Billing' },
  { cost_usd: 0.5, ended_at: START + 4 * HOUR, models: '[]', quality_score: null, task: 'Refund 100% of it_all' },
];

describe('a filter of the list', () => {
  it.each<[string, Partial<TraceFilter>, number[]]>([
    ['model', { model: 'gpt-4o' }, [1, 0]],
    ['part of a model', { model: 'gpt' }, []],
    ['a model in other letters', { model: 'GPT-4o' }, []],

    ['severity', { severity: 'warning' }, [1]],
    ['grade F', { score: scoresOfGrade('F') }, [0]],
    ['grade D', { score: scoresOfGrade('D') }, [1]],
    ['grade B', { score: scoresOfGrade('B') }, [2]],
    ['cost', { minCostUsd: 0.5 }, [3, 2, 0]],
    ['a cost of nothing leaves unknown costs out', { minCostUsd: 0 }, [3, 2, 0]],
    ['a cost that is not known', { isUnpriced: true }, [1]],
    ['duration', { minDurationMs: HOUR }, [3]],
    ['text of the service', { search: 'bILL' }, [2]],
    ['text of the task with characters of a pattern', { search: '100% of it_' }, [3]],
    ['a sign of a pattern alone', { search: '%' }, [3]],
    ['text of a model', { search: 'o3' }, [1]],
    ['ids', { traceIds: [traceIdOf(0), traceIdOf(2), 'unknown'] }, [2, 0]],
    ['beginning of a trace id', { search: traceIdOf(2) }, [2]],
    ['the middle of a trace id', { search: traceIdOf(2).slice(1, -1) }, []],
    ['several at once', { minCostUsd: 0.5, model: 'gpt-4o' }, [0]],
  ])('%s', async (_name, filter, numbers) => {
    await storeRuns(RUNS);
    expect(await found(filter)).toEqual(numbers);
  });
});

it('a model with quotes in its name is found by the whole name alone', async () => {
  await storeRuns([{ models: JSON.stringify(['a","b', 'c']) }]);
  expect(await found({ model: 'a","b' })).toEqual([0]);
  expect(await found({ model: 'c' })).toEqual([0]);
  for (const model of ['a', 'b', ',', '"']) expect(await found({ model })).toEqual([]);
});

describe('an order of the list', () => {
  it.each<[TraceOrder, number[]]>([
    ['started_at', [3, 2, 1, 0]],
    ['cost', [2, 3, 0, 1]],
    ['duration', [3, 1, 0, 2]],
    ['tokens', [0, 3, 2, 1]],
  ])('%s', async (order, numbers) => {
    await storeRuns(RUNS);
    expect(await found({}, order)).toEqual(numbers);
  });

  it.each(TRACE_ORDERS)('%s returns each trace once by cursor, also with equal values', async (order) => {
    await storeRuns(Array.from({ length: 9 }, (_, at) => ({ cost_usd: at % 2, total_tokens: at % 3 })));
    const seen: number[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = await store.services.traces.list(tenantId, NO_FILTER, { page: 1, pageSize: 2, cursor }, order);
      seen.push(...page.items.map(({ trace_id }) => numberOf(trace_id)));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(await found({}, order));
    expect(new Set(seen).size).toBe(9);
  });

  it('refuses the cursor of another order', async () => {
    await storeRuns(RUNS);
    const first = { page: 1, pageSize: 1, cursor: null };
    const { next_cursor: cursor } = await store.services.traces.list(tenantId, NO_FILTER, first, 'cost');
    for (const order of ['tokens', 'started_at', 'failure_rank'] as const) {
      const request = store.services.traces.list(tenantId, NO_FILTER, { ...first, cursor }, order);
      await expect(request).rejects.toMatchObject({ code: 'invalid_query', errors: [{ pointer: '?cursor' }] });
    }
  });
});

describe('facets', () => {
  it('count the values of all traces', async () => {
    await storeRuns(RUNS);
    const { counted, is_complete, facets: all } = await facets();
    expect([counted, is_complete, Object.keys(all)]).toEqual([4, true, FACETS]);
    const countsOf = (name: (typeof FACETS)[number]) => all[name].values.map(({ value, count }) => [value, count]);
    expect(countsOf('status')).toEqual([['ok', 4]]);
    expect(countsOf('agent')).toEqual([
      ['planner', 4],
      ['writer', 4],
    ]);
    expect(countsOf('model')).toEqual([
      ['gpt-4o', 2],
      ['gpt-4o-mini', 1],
      ['o3', 1],
    ]);
    expect([all.model.without, all.severity.without, all.grade.without]).toEqual([1, 2, 1]);
    expect(all.workflow.values).toMatchObject([{ label: 'part 0', count: 4 }]);
  });

  it('leave out their own filter and apply every other', async () => {
    await storeRuns(RUNS);
    const { counted, facets: all } = await facets({ model: 'gpt-4o', minCostUsd: 0.1 });
    expect(counted).toBe(1);
    expect(all.model.values).toMatchObject([
      { value: 'gpt-4o', count: 1 },
      { value: 'gpt-4o-mini', count: 1 },
    ]);
    expect(all.severity.values).toMatchObject([{ value: 'critical', count: 1 }]);
  });

  it('show what the list of each value shows', async () => {
    await storeRuns(RUNS);
    const { facets: all } = await facets();
    for (const { value, count } of all.model.values) expect(await found({ model: value })).toHaveLength(count);
    for (const { value, count } of all.severity.values) expect(await found({ severity: value })).toHaveLength(count);
    for (const { value, count } of all.agent.values) expect(await found({ agentId: value })).toHaveLength(count);
    for (const { value, count } of all.workflow.values) expect(await found({ workflowId: value })).toHaveLength(count);
    for (const { value, count } of all.grade.values)
      expect(await found({ score: scoresOfGrade(value as 'A') })).toHaveLength(count);
  });

  it('name the most frequent values and count the others', async () => {
    await storeRuns([{ framework: 'b' }, { framework: 'a' }, { framework: 'b' }, { framework: 'c' }]);
    const { framework } = (await facets({}, 2)).facets;
    expect(framework).toEqual({
      values: [
        { value: 'b', label: 'b', count: 2 },
        { value: 'a', label: 'a', count: 1 },
      ],
      others: 1,
      without: 0,
    });
  });

  it('are empty in an empty store', async () => {
    expect(await facets()).toMatchObject({ counted: 0, is_complete: true, facets: { status: { values: [] } } });
  });
});

describe('the histogram', () => {
  it('counts runs by time and status, without gaps', async () => {
    await storeRuns([{}, { status: 'error' }, {}, { status: 'running' }]);
    await store.db.deleteFrom('traces').where('trace_id', '=', traceIdOf(2)).execute();
    expect(await histogram({}, 4)).toEqual({
      step_ms: HOUR,
      total: 3,
      buckets: [
        { start: '2026-01-15T12:00:00.000Z', running: 0, ok: 1, error: 0 },
        { start: '2026-01-15T13:00:00.000Z', running: 0, ok: 0, error: 1 },
        { start: '2026-01-15T14:00:00.000Z', running: 0, ok: 0, error: 0 },
        { start: '2026-01-15T15:00:00.000Z', running: 1, ok: 0, error: 0 },
      ],
    });
  });

  it('covers the requested period and applies the filter', async () => {
    await storeRuns([{}, { status: 'error' }]);
    const { buckets, total } = await histogram({ from: START - HOUR, to: START + 3 * HOUR, status: 'error' }, 4);
    expect([buckets.length, total]).toEqual([4, 1]);
    expect(buckets[2]).toMatchObject({ start: '2026-01-15T13:00:00.000Z', error: 1 });
  });

  it('is empty if no trace matches', async () => {
    expect(await histogram()).toEqual({ step_ms: 1_000, total: 0, buckets: [] });
  });
});
