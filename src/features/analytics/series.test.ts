import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import type { TraceTable } from '../../store/schema.ts';
import { GROUPINGS, METRICS, type SeriesRequest, STEPS, sourceOf } from './series.record.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const START = 1_768_478_400_000; // 2026-01-15T12:00:00Z
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Analyzed runs that began so many milliseconds before the start; `row` says what is different about each. */
async function storeRuns(runs: [ageMs: number, row: Partial<TraceTable>][]): Promise<void> {
  for (const [at, [ageMs]] of runs.entries())
    await store.send(tenantId, runSpans(at, { startNs: BigInt(START - ageMs) * 1_000_000n }));
  await store.settle();
  for (const [at, [, row]] of runs.entries()) {
    if (Object.keys(row).length === 0) continue;
    await store.db.updateTable('traces').set(row).where('trace_id', '=', traceIdOf(at)).execute();
  }
}

const series = async (asked: Partial<SeriesRequest> & Pick<SeriesRequest, 'metric'>) =>
  (await store.services.analytics.series(tenantId, { by: 'none', step: 'day', days: 3, top: 8, ...asked })).value();
const valuesOf = async (asked: Parameters<typeof series>[0]) =>
  (await series(asked)).series.map(({ label, total, values }) => [label, total, ...values]);

const RUNS: [number, Partial<TraceTable>][] = [
  [2 * DAY, { status: 'error', cost_usd: 0.1, total_tokens: 10, quality_score: 40, framework: 'crewai' }],
  [DAY, { status: 'ok', cost_usd: 0.2, total_tokens: 20, quality_score: 80, framework: 'langgraph' }],
  [DAY + HOUR, { status: 'error', cost_usd: null, total_tokens: 30, quality_score: 60, framework: 'langgraph' }],
  [0, { status: 'running', ended_at: null, cost_usd: null, total_tokens: 5, quality_score: null, framework: 'crewai' }],
  [3 * DAY, { cost_usd: 9, total_tokens: 900 }],
];

describe('a series', () => {
  it.each<[string, Parameters<typeof series>[0], unknown[][]]>([
    ['runs', { metric: 'runs' }, [['all', 4, 1, 2, 1]]],
    ['errors', { metric: 'errors' }, [['all', 2, 1, 1, 0]]],
    ['cost, unknown cost left out', { metric: 'cost' }, [['all', 0.3, 0.1, 0.2, 0]]],
    ['mean score, null over no runs', { metric: 'score' }, [['all', 60, 40, 70, null]]],
    ['mean duration of runs that ended', { metric: 'duration' }, [['all', 4_000, 4_000, 4_000, null]]],
    [
      'by status',
      { metric: 'runs', by: 'status' },
      [
        ['error', 2, 1, 1, 0],
        ['ok', 1, 0, 1, 0],
        ['running', 1, 0, 0, 1],
      ],
    ],
    [
      'by framework, the others joined',
      { metric: 'tokens', by: 'framework', top: 1 },
      [
        ['langgraph', 50, 0, 50, 0],
        ['others', 15, 10, 0, 5],
      ],
    ],
    ['by workflow, with its name', { metric: 'runs', by: 'workflow' }, [['part 0', 4, 1, 2, 1]]],
    [
      'by agent',
      { metric: 'runs', by: 'agent' },
      [
        ['planner', 4, 1, 2, 1],
        ['writer', 4, 1, 2, 1],
      ],
    ],
    ['by model', { metric: 'runs', by: 'model' }, [['gpt-4o-mini', 4, 1, 2, 1]]],
    ['detections', { metric: 'detections' }, [['all', 0, 0, 0, 0]]],
  ])('%s', async (_name, asked, expected) => {
    await storeRuns(RUNS);
    const values = await valuesOf(asked);
    expect(values.toSorted()).toEqual(expected.toSorted());
  });

  it('by the hour ends with the present hour', async () => {
    await storeRuns(RUNS);
    const { starts, series: all, unit } = await series({ metric: 'runs', step: 'hour', days: 1 });
    expect([starts.length, starts[0], starts.at(-1), unit]).toEqual([
      13,
      '2026-01-15T00:00:00.000Z',
      '2026-01-15T12:00:00.000Z',
      'count',
    ]);
    expect(all[0]!.values).toEqual([...Array(12).fill(0), 1]);
  });

  it('of an empty store is all zeros, and has no groups', async () => {
    expect(await valuesOf({ metric: 'runs' })).toEqual([['all', 0, 0, 0, 0]]);
    expect(await valuesOf({ metric: 'runs', by: 'status' })).toEqual([]);
  });

  it('is returned or rejected with the wrong field, for every combination', async () => {
    await storeRuns(RUNS.slice(0, 1));
    const refused: string[] = [];
    for (const metric of METRICS) {
      for (const by of GROUPINGS) {
        for (const step of STEPS) {
          const request = { metric, by, step, days: 3, top: 8 };
          const answer = await series(request).catch((error) => error);
          if (answer.code === undefined) expect(answer.starts.length).toBe(step === 'day' ? 3 : 61);
          else refused.push(`${metric} ${by} ${step} ${answer.errors[0].pointer}`);
        }
      }
    }
    expect(refused).toContain('cost agent day ?by');
    expect(refused).toContain('runs model hour ?step');
    expect(refused).toContain('runs detection_type day ?by');
    expect(refused).toContain('detections status hour ?by');
    expect(refused).not.toContain('detections none day ?by');
  });

  it.each([
    [14, 'traces'],
    [15, null],
  ])('by the hour over %d days', (days, source) => {
    const request = { metric: 'runs', by: 'none', step: 'hour', days, top: 8 } as const;
    if (source !== null) expect(sourceOf(request)).toBe(source);
    else
      expect(() => sourceOf(request)).toThrow(
        expect.objectContaining({ code: 'invalid_query', errors: [expect.objectContaining({ pointer: '?days' })] }),
      );
  });
});
