import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { makeDetection } from '../../../test/support/stored-detection.ts';
import type { Detection } from '../../core/detection.ts';
import { saveTraces, touchTraces } from '../../store/trace.store.ts';
import { changeFigures, encodeFigures } from '../../store/trace-figures.store.ts';
import { type FigureSource, figuresOfTrace } from './figures-of-trace.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterEach(() => http.close());

const get = (path: string, credential: string | null = tenant.apiKey) =>
  http.send({ path: `/api/v1/tenants/${tenant.tenantId}/analytics/${path}`, credential });
const day = (date: string, hour = 0) => Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000;

/** Stores an analyzed trace with these figures, as an analysis would. */
async function store(traceId: string, value: Partial<FigureSource>): Promise<void> {
  const { db } = http.app.store;
  const tenantNo = (
    await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenant.tenantId).executeTakeFirstOrThrow()
  ).tenant_no;
  const source: FigureSource = {
    framework: 'langgraph',
    serviceName: 'desk',
    name: 'answer',
    codingSession: null,
    startedAt: day('2026-01-15'),
    spanCount: 4,
    totalTokens: 100,
    costUsd: 0.01,
    qualityScore: 100,
    models: [],
    detections: [],
    ...value,
  };
  const { startedAt, framework, name, costUsd } = source;
  const identity = {
    tenantNo,
    traceId,
    sequence: 1,
    isHistory: false,
    isRootSeen: true,
    hasRootEnded: true,
    isBookkeeping: false,
  };
  await touchTraces(db, [{ ...identity, name, serviceName: null, startedAt, endedAt: null, newSpans: 4 }], 0);
  const row = await db.selectFrom('traces').selectAll().where('trace_id', '=', traceId).executeTakeFirstOrThrow();
  const after = figuresOfTrace(source);
  const figures = { figures: encodeFigures(after), figures_day: after.day, workflow_id: after.workflow.workflowId };
  await saveTraces(db, [{ ...row, ...figures, framework, cost_usd: costUsd, total_tokens: source.totalTokens }]);
  await changeFigures(db, tenantNo, [{ traceId, before: null, after }]);
}

const loop = (entry: Partial<Detection>) => makeDetection({ type: 'loop', subtype: 'cyclic', ...entry });
const spans = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);

describe('the three analytics', () => {
  it.each(['loops', 'cost', 'quality'])('%s: who may ask', async (path) => {
    const stranger = await http.newTenant('stranger');
    const sender = await http.newKey(tenant.tenantId, ['ingest', 'write']);
    const answers = [await get(path, null), await get(path, sender), await get(path, stranger.apiKey), await get(path)];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 200]);
  });

  it.each(['loops', 'cost', 'quality'])('%s: days are 1 to 365, and 30 by default', async (path) => {
    for (const days of ['0', '366', '-1', '1.5', 'many', ''])
      expect(await get(`${path}?days=${days}`)).toMatchObject({
        status: 400,
        json: { errors: [{ pointer: '?days' }] },
      });
    expect((await get(path)).json).toMatchObject({ days: 30, date_from: '2025-12-17', date_to: '2026-01-15' });
    expect((await get(`${path}?days=365`)).json).toMatchObject({ days: 365, date_from: '2025-01-16' });
    expect((await get(`${path}?days=1`)).json).toMatchObject({ days: 1, date_from: '2026-01-15' });
  });

  it('contain no data of another tenant', async () => {
    await store('t1', { detections: [loop({})] });
    const other = await http.newTenant('other');
    const ask = (path: string) =>
      http.send({ path: `/api/v1/tenants/${other.tenantId}/analytics/${path}`, credential: other.apiKey });
    expect((await ask('loops')).json).toMatchObject({ total: 0, average_length: null, affected_agents: [] });
    expect((await ask('cost')).json).toMatchObject({ total_traces: 0, by_framework: {}, top_traces: [] });
    expect((await ask('quality')).json).toMatchObject({ total: 0, average: null, top_detections: [] });
  });
});

describe('loops', () => {
  it('are counted by day, way and agent', async () => {
    await store('t1', {
      startedAt: day('2026-01-14', 23.9),
      detections: [
        loop({ spanIds: spans(3), agent: 'planner', wastedTokens: 100, wastedCostUsd: 0.001 }),
        loop({ spanIds: spans(6), agent: 'planner', subtype: 'stalled', wastedTokens: 50, wastedCostUsd: 0.0005 }),
        loop({ spanIds: spans(99), severity: 'observation' }),
        makeDetection({ type: 'derailment', subtype: 'off_task', agent: 'planner' }),
      ],
    });
    await store('t2', { detections: [loop({ spanIds: spans(5), agent: 'writer', severity: 'info' })] });
    await store('t3', { detections: [loop({ spanIds: spans(4), agent: null })] });
    await store('old', { startedAt: day('2026-01-12'), detections: [loop({ spanIds: spans(50) })] });
    await store('ahead', { startedAt: day('2026-01-16'), detections: [loop({ spanIds: spans(50) })] });
    expect((await get('loops?days=3')).json).toEqual({
      days: 3,
      date_from: '2026-01-13',
      date_to: '2026-01-15',
      total: 4,
      by_method: { cyclic: 3, stalled: 1 },
      average_length: 4.5,
      wasted_tokens: 150,
      wasted_cost_usd: 0.0015,
      affected_agents: [
        { agent_id: 'planner', count: 2 },
        { agent_id: 'writer', count: 1 },
      ],
      time_series: [
        { date: '2026-01-13', count: 0 },
        { date: '2026-01-14', count: 2 },
        { date: '2026-01-15', count: 2 },
      ],
    });
  });
});

describe('cost', () => {
  it('is summed by day, framework and model', async () => {
    const models = [
      { model: 'gpt-4o', tokens: 700, costUsd: 0.3 },
      { model: 'gpt-4o-mini', tokens: 200, costUsd: 0.1 },
      { model: null, tokens: 100, costUsd: 0 },
    ];
    await store('t1', { startedAt: day('2026-01-14'), totalTokens: 1_000, costUsd: 0.4, models });
    await store('t2', { totalTokens: 200, costUsd: 0.2, models: [{ model: 'gpt-4o', tokens: 200, costUsd: 0.2 }] });
    await store('t4', { framework: 'langgraph', totalTokens: 0, costUsd: null, name: 'no model call' });
    await store('t3', { framework: 'crewai', totalTokens: 50, costUsd: null, name: 'crew' });
    await store('old', { startedAt: day('2026-01-13', 23.9), costUsd: 99 });
    expect((await get('cost?days=2')).json).toEqual({
      days: 2,
      date_from: '2026-01-14',
      date_to: '2026-01-15',
      total_cost_usd: 0.6,
      wasted_cost_usd: 0,
      wasted_tokens: 0,
      total_tokens: 1_250,
      total_traces: 4,
      unpriced_traces: 1,
      by_framework: {
        langgraph: { cost_usd: 0.6, tokens: 1_200, traces: 3 },
        crewai: { cost_usd: 0, tokens: 50, traces: 1 },
      },
      by_model: {
        'gpt-4o': { cost_usd: 0.5, tokens: 900, traces: 2 },
        'gpt-4o-mini': { cost_usd: 0.1, tokens: 200, traces: 1 },
        unknown: { cost_usd: 0, tokens: 100, traces: 1 },
      },
      by_day: [
        { date: '2026-01-14', cost_usd: 0.4, tokens: 1_000 },
        { date: '2026-01-15', cost_usd: 0.2, tokens: 250 },
      ],
      top_traces: [
        {
          trace_id: 't1',
          name: 'answer',
          framework: 'langgraph',
          started_at: '2026-01-14T00:00:00.000Z',
          cost_usd: 0.4,
          total_tokens: 1_000,
        },
        {
          trace_id: 't2',
          name: 'answer',
          framework: 'langgraph',
          started_at: '2026-01-15T00:00:00.000Z',
          cost_usd: 0.2,
          total_tokens: 200,
        },
      ],
    });
  });

  it('lists traces of equal cost by name, the newest first', async () => {
    await store('t1', { name: 'writer', costUsd: 0.4 });
    await store('t2', { name: 'guide', startedAt: day('2026-01-15', 1), costUsd: 0.4 });
    await store('t4', { name: 'guide', startedAt: day('2026-01-14'), costUsd: 0.4 });
    await store('t3', { name: 'guide', startedAt: day('2026-01-15', 2), costUsd: 0.4 });
    const { top_traces: top } = (await get('cost?days=2')).json;
    expect(top.map(({ trace_id }: { trace_id: string }) => trace_id)).toEqual(['t3', 't2', 't4', 't1']);
  });

  it('counts as many traces without a known cost as the list has with the same filter', async () => {
    await store('priced', { costUsd: 0.1 });
    await store('no_tokens', { totalTokens: 0, costUsd: null, models: [{ model: 'o3', tokens: 0, costUsd: 0 }] });
    await store('no_price', { totalTokens: 50, costUsd: null });
    await store('no_model_call', { totalTokens: 0, costUsd: null });
    await http.app.store.db
      .updateTable('traces')
      .set({ models: '["o3"]' })
      .where('trace_id', '=', 'no_tokens')
      .execute();
    const list = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces?unpriced=true`,
      credential: tenant.apiKey,
    });
    expect(list.json.items.map((trace: { trace_id: string }) => trace.trace_id).sort()).toEqual([
      'no_price',
      'no_tokens',
    ]);
    expect((await get('cost?days=2')).json.unpriced_traces).toBe(2);
  });

  it('names the ten costliest traces of all days, in order', async () => {
    const costs = [5, 12, 1, 9, 3, 11, 7, 2, 10, 4, 8, 6];
    for (const [at, costUsd] of costs.entries())
      await store(`t${costUsd}`, { startedAt: day('2026-01-15') - (at % 4) * 86_400_000, costUsd });
    const { json } = await get('cost');
    expect(json.top_traces.map((trace: { cost_usd: number }) => trace.cost_usd)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
  });
});

describe('quality', () => {
  it('is returned as bands, grades and a trend', async () => {
    const scores = [0, 9.9, 10, 59.9, 60, 69.9, 70, 79.9, 80, 89.9, 90, 100];
    for (const [at, qualityScore] of scores.entries()) await store(`t${at}`, { qualityScore });
    await store('yesterday', {
      startedAt: day('2026-01-14'),
      qualityScore: 95.5,
      detections: [
        loop({}),
        loop({ subtype: 'stalled' }),
        makeDetection({ type: 'injection' }),
        makeDetection({ type: 'grounding', severity: 'observation' }),
      ],
    });
    await store('running', { qualityScore: null });
    expect((await get('quality?days=3')).json).toEqual({
      days: 3,
      date_from: '2026-01-13',
      date_to: '2026-01-15',
      total: 13,
      // (719.5 + 95.5) / 13
      average: 62.69,
      score_distribution: {
        '0-10': 2,
        '10-20': 1,
        '20-30': 0,
        '30-40': 0,
        '40-50': 0,
        '50-60': 1,
        '60-70': 2,
        '70-80': 2,
        '80-90': 2,
        '90-100': 3,
      },
      grades: { A: 3, B: 2, C: 2, D: 2, F: 4 },
      trend: [
        { date: '2026-01-13', average: null, count: 0 },
        { date: '2026-01-14', average: 95.5, count: 1 },
        { date: '2026-01-15', average: 59.96, count: 12 },
      ],
      top_detections: [
        { detection_type: 'loop', count: 2 },
        { detection_type: 'injection', count: 1 },
      ],
    });
  });
});
