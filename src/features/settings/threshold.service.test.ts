import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp } from '../../../test/support/store-app.ts';
import { AppError } from '../../core/app-error.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { previewThresholdsOperation, putThresholdsOperation } from './threshold.operations.ts';
import { DEFAULT_THRESHOLD_RECORD } from './threshold-fields.ts';

const LOOPING = readFileSync(
  resolve(import.meta.dirname, '../../../test/fixtures/conventions/langgraph/planner-critic-loop.json'),
);
const FRAMEWORK = 'langgraph';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

async function sendLoop(of = tenantId): Promise<string> {
  const { spans } = decodeOtlpJson(LOOPING);
  await store.send(of, spans);
  await store.settle(60_000);
  return spans[0]?.traceId ?? '';
}

/** Detections of the looping run after it was sent and analyzed again. */
async function found(of = tenantId): Promise<string[]> {
  const detections = await store.services.detections.ofTrace(of, await sendLoop(of));
  return detections.map(({ detection_type, subtype }) => `${detection_type}/${subtype}`).sort();
}

const change = (body: object) => store.services.thresholds.change(tenantId, body);

describe('thresholds', () => {
  it('are the defaults, of every framework', async () => {
    const expected = { ...DEFAULT_THRESHOLD_RECORD, global: {}, frameworks: {} };
    expect(await store.services.thresholds.get(tenantId, null)).toEqual(expected);
    expect(await store.services.thresholds.get(tenantId, FRAMEWORK)).toEqual(expected);
  });

  it('merge; null unsets; the framework takes precedence over the tenant', async () => {
    await change({ max_steps: 40, global: { token_budget: 900 }, frameworks: { [FRAMEWORK]: { max_steps: 9 } } });
    await change({ token_budget: null, frameworks: { crewai: { max_steps: 3 }, other: null } });
    expect(await store.services.thresholds.get(tenantId, FRAMEWORK)).toMatchObject({
      max_steps: 9,
      token_budget: null,
      global: { max_steps: 40 },
      frameworks: { [FRAMEWORK]: { max_steps: 9 }, crewai: { max_steps: 3 } },
    });
    expect(await store.services.thresholds.get(tenantId, 'constructor')).toMatchObject({ max_steps: 40 });
  });

  it('take back what they answered', async () => {
    const record = await change({ max_steps: 40 });
    expect(await change({ ...record, max_steps: 40 })).toMatchObject({ max_steps: 40 });
  });

  it('reset one framework, then all', async () => {
    await change({ max_steps: 40, frameworks: { [FRAMEWORK]: { max_steps: 9 } } });
    await store.services.thresholds.reset(tenantId, FRAMEWORK);
    expect(await store.services.thresholds.get(tenantId, FRAMEWORK)).toMatchObject({ max_steps: 40, frameworks: {} });
    await store.services.thresholds.reset(tenantId, null);
    expect(await store.services.thresholds.get(tenantId, null)).toMatchObject({ max_steps: null, global: {} });
  });

  it('are separate for each tenant', async () => {
    const other = await store.newTenant('other');
    await change({ max_steps: 3 });
    expect(await found()).toContain('cost_overrun/step_budget');
    expect(await found(other)).not.toContain('cost_overrun/step_budget');
  });
});

describe('what a threshold moves', () => {
  it.each<[string, object, string, boolean]>([
    ['a step limit', { max_steps: 3 }, 'cost_overrun/step_budget', true],
    [
      'a step limit of this framework',
      { frameworks: { [FRAMEWORK]: { max_steps: 3 } } },
      'cost_overrun/step_budget',
      true,
    ],
    [
      'a step limit of another framework',
      { frameworks: { crewai: { max_steps: 3 } } },
      'cost_overrun/step_budget',
      false,
    ],
    ['token budgets', { token_budget: 5 }, 'cost_overrun/token_budget', true],
  ])('%s', async (_name, body, detection, isFound) => {
    await change(body);
    expect((await found()).includes(detection)).toBe(isFound);
  });

  it('the scale of what fires, never the confidence', async () => {
    await store.services.settings.changeOverrides(tenantId, { loop: 0.5 });
    const before = await store.services.detections.ofTrace(tenantId, await sendLoop());
    await change({ confidence_scaling: 0.5 });
    expect(await found()).toEqual([]);
    const [hidden] = await store.db.selectFrom('detections').select(['confidence', 'severity']).execute();
    expect(hidden).toEqual({ confidence: before[0]?.confidence, severity: 'observation' });
  });
});

describe('a preview', () => {
  beforeEach(async () => {
    for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number));
    await store.settle();
  });
  const preview = (framework: string | null, fields: object) =>
    store.services.thresholds.preview(tenantId, framework, fields);

  it('returns added detections and changes nothing', async () => {
    const answer = await preview(null, { max_steps: 2 });
    expect(answer.current.max_steps).toBeNull();
    expect(answer.thresholds).toEqual({ ...answer.current, max_steps: 2 });
    expect(answer.sampled).toMatchObject({ traces: 3, of: 3, is_complete: true });
    expect(answer.fires_more.by_detector).toEqual([{ detector: 'cost_overrun', count: 3 }]);
    expect(answer.fires_more.examples[0]).toMatchObject({ subtype: 'step_budget' });
    expect(answer.fires_less.total).toBe(0);
    expect(await store.services.thresholds.get(tenantId, null)).toMatchObject({ max_steps: null });
    expect(await store.db.selectFrom('detections').selectAll().execute()).toEqual([]);
  });

  it('returns removed detections', async () => {
    await change({ max_steps: 2 });
    const answer = await preview(null, { max_steps: 50 });
    expect(answer).toMatchObject({ fires_more: { total: 0 }, fires_less: { total: 3 } });
  });

  it('looks at one framework, and back no further than a week', async () => {
    expect((await preview('crewai', { max_steps: 2 })).sampled).toMatchObject({ traces: 0, of: 0 });
    store.clock.advance(8 * 24 * 3_600_000);
    expect((await preview(null, { max_steps: 2 })).sampled).toMatchObject({ traces: 0, of: 0 });
  });

  it('judges at most a hundred traces, the newest', async () => {
    for (let number = 10; number < 120; number += 1) await store.send(tenantId, runSpans(number));
    await store.settle();
    expect((await preview(null, { max_steps: 2 })).sampled).toMatchObject({ traces: 100, of: 113, is_complete: false });
  });

  it('rejects the same bodies as PUT', async () => {
    const proposed = { context_warning_ratio: 0.95 };
    await expect(store.services.thresholds.preview(tenantId, null, proposed)).rejects.toBeInstanceOf(AppError);
  });
});

describe('bodies', () => {
  it.each([
    { structural_threshold: 0.4 },
    { semantic_threshold: 1 },
    { loop_detection_window: 2 },
    { loop_detection_window: 5.5 },
    { min_matches_for_loop: 11 },
    { confidence_scaling: 1.6 },
    { confidence_scaling: '1' },
    { context_warning_ratio: 0 },
    { token_budget: 0 },
    { cost_budget_usd: -1 },
    { max_steps: 2.5 },
    { max_step: 5 },
    { global: { max_step: 5 } },
    { frameworks: { langgraph: { max_steps: 'many' } } },
    { frameworks: { '': { max_steps: 5 } } },
    { frameworks: [] },
  ])('are refused: %j', (body) => {
    expect(putThresholdsOperation.body?.safeParse(body).success).toBe(false);
  });

  it.each([
    [{ context_warning_ratio: 0.95 }, '/context_warning_ratio'],
    [{ frameworks: { 'a/b': { context_critical_ratio: 0.5 } } }, '/frameworks/a~1b'],
    [{ max_steps: 4, global: { max_steps: 5 } }, '/max_steps'],
    [
      { frameworks: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, { max_steps: 1 }])) },
      '/frameworks',
    ],
  ])('that contradict are refused %#', async (body, pointer) => {
    await expect(change(body)).rejects.toMatchObject({ code: 'invalid_body', errors: [{ pointer }] });
  });

  it('an unknown field is an error with the known ones', () => {
    const result = putThresholdsOperation.body?.safeParse({ max_step: 5 });
    expect(JSON.stringify(result?.error?.issues)).toContain('loop_detection_window');
  });

  it('a preview accepts every field', () => {
    expect(Object.keys(previewThresholdsOperation.query!.shape)).toEqual(
      expect.arrayContaining(Object.keys(DEFAULT_THRESHOLD_RECORD)),
    );
  });
});
