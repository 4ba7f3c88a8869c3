import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';
import { putCalibrationOperation } from './calibration.operations.ts';
import { recordTraffic } from './record-traffic.ts';
import type { TraceSignals } from './traffic.ts';

const GATHER_MS = 120_000;

let store: StoreApp;
let tenantId: string;
let tenantNo: number;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
  tenantNo = (await store.db.selectFrom('tenants').select('tenant_no').executeTakeFirstOrThrow()).tenant_no;
});
afterEach(() => store.close());

/** Puts scores in place as analyses would, one millisecond apart. */
async function note(count: number, signals: TraceSignals, framework = 'crewai', from = 1_000): Promise<void> {
  const traces = Array.from({ length: count }, (_, n) => {
    return { traceId: traceIdOf(from + n), framework, signals, riskColumns: null };
  });
  await recordTraffic(store.db, tenantNo, traces, store.clock.now());
  store.clock.advance(1);
}

async function workOut(): Promise<number> {
  store.clock.advance(GATHER_MS);
  return store.services.calibration.runDue(10);
}

const get = () => store.services.calibration.get(tenantId);
const sampleCount = async (framework: string) =>
  (await store.db.selectFrom('calibration_samples').select('trace_id').where('framework', '=', framework).execute())
    .length;

describe('self-calibration', () => {
  it('collects until enough traces are there; rarity alone lets no preview alert', async () => {
    await note(2, { 'state_corruption/bounds': 0.22 });
    await note(97, {}, 'crewai', 2_000);
    expect(await workOut()).toBe(1);
    expect(await get()).toMatchObject({
      enabled: true,
      target_alert_rate: 0.05,
      min_traces: 100,
      frameworks: [{ framework: 'crewai', traces: 99, state: 'collecting', alert_rate: null, adapted: [] }],
    });
    await note(1, {}, 'crewai', 3_000);
    expect(await workOut()).toBe(1);
    expect((await get()).frameworks).toEqual([
      {
        framework: 'crewai',
        traces: 100,
        state: 'in_effect',
        alert_rate: { before: 0, after: 0 },
        adapted: [],
        riskiest: null,
      },
    ]);
  });

  it('is computed once for a burst of traces, and not again without new ones', async () => {
    for (let n = 0; n < 5; n += 1) await note(30, {}, 'crewai', n * 100);
    expect(await store.services.calibration.runDue(10)).toBe(0);
    expect(await workOut()).toBe(1);
    expect(await workOut()).toBe(0);
  });

  it('keeps the last thousand traces of a framework', async () => {
    for (let n = 0; n < 11; n += 1) await note(100, {}, 'crewai', n * 100);
    await note(50, {}, 'ag2', 5_000);
    await workOut();
    expect([await sampleCount('crewai'), await sampleCount('ag2')]).toEqual([1_000, 50]);
    expect(
      await store.db
        .selectFrom('calibration_samples')
        .select('trace_id')
        .where('trace_id', '=', traceIdOf(0))
        .execute(),
    ).toEqual([]);
  });

  it('keeps no more frameworks than twenty, those with the most traces', async () => {
    for (let n = 0; n < 25; n += 1) await note(n + 1, {}, `framework ${n}`, n * 100);
    await workOut();
    expect((await get()).frameworks.map(({ traces }) => traces)).toEqual(Array.from({ length: 20 }, (_, n) => 25 - n));
  });

  it('can be switched off and on', async () => {
    await note(100, {}, 'crewai', 2_000);
    const off = await store.services.calibration.change(tenantId, { enabled: false });
    expect(off.frameworks[0]).toMatchObject({ state: 'off' });
    const on = await store.services.calibration.change(tenantId, { enabled: true, targetAlertRate: 0.1 });
    expect(on).toMatchObject({ target_alert_rate: 0.1, frameworks: [{ state: 'in_effect' }] });
    const { subtypes: _, ...ofDetector } = (await store.services.settings.overrides(tenantId)).state_corruption!;
    expect(ofDetector).toEqual({
      override: null,
      calibrated: 0.3,
      effective: 0.3,
      source: 'calibrated',
      adapted: [],
    });
  });

  it('is overridden by an override and by the tenant’s own scale', async () => {
    await note(2, { 'state_corruption/bounds': 0.22 });
    await note(98, {}, 'crewai', 2_000);
    await workOut();
    await store.services.thresholds.change(tenantId, { frameworks: { crewai: { confidence_scaling: 1.1 } } });
    expect((await get()).frameworks[0]?.state).toBe('own_scaling');
    expect((await store.services.settings.overrides(tenantId)).state_corruption?.adapted).toEqual([]);
    await store.services.thresholds.reset(tenantId, null);
    await store.services.settings.changeOverrides(tenantId, { state_corruption: 0.6 });
    expect((await store.services.settings.overrides(tenantId)).state_corruption).toMatchObject({
      source: 'override',
      adapted: [],
    });
  });

  it('deletes everything on reset', async () => {
    await note(120, { 'state_corruption/bounds': 0.22 });
    await workOut();
    await store.services.calibration.change(tenantId, { targetAlertRate: 0.2 });
    await store.services.calibration.reset(tenantId);
    expect(await get()).toEqual({
      enabled: true,
      target_alert_rate: 0.05,
      min_traces: 100,
      computed_at: null,
      frameworks: [],
    });
  });

  it('is separate for each tenant', async () => {
    const other = await store.newTenant('other');
    await note(120, {});
    await workOut();
    expect((await store.services.calibration.get(other)).frameworks).toEqual([]);
  });

  it.each([{ enabled: 'no' }, { target_alert_rate: 0 }, { target_alert_rate: 0.6 }, { target: 0.1 }])(
    'refuses %j',
    (body) => {
      expect(putCalibrationOperation.body?.safeParse(body).success).toBe(false);
    },
  );
});

describe('the most troubled runs', () => {
  /** As `runSpans`, with a tool that answers with an error as often as asked. */
  function troubled(number: number, errors: number) {
    const [chat, tool, ...rest] = runSpans(number) as [Span, Span, Span, Span];
    const failures = Array.from(
      { length: errors },
      (_, n): Span => ({
        ...tool,
        spanId: spanIdOf(100 + n),
        status: { code: 2, message: 'connection refused' },
      }),
    );
    return [chat, tool, ...failures, ...rest];
  }

  const observationsOf = (number: number) =>
    store.db
      .selectFrom('detections')
      .selectAll()
      .where('trace_id', '=', traceIdOf(number))
      .where('withdrawn_at', 'is', null)
      .execute();

  it('are observations with their rank, and no alarm, after enough traffic', async () => {
    for (let number = 1; number <= 120; number += 1)
      await store.send(tenantId, troubled(number, number % 40 === 0 ? 2 : 0));
    await store.settle();
    const { framework } = await store.db.selectFrom('traces').select('framework').executeTakeFirstOrThrow();
    const unknown = await observationsOf(40);
    expect(unknown.map(({ subtype }) => subtype)).not.toContain('unusual_trouble');
    await workOut();
    expect((await get()).frameworks[0]).toMatchObject({
      framework,
      state: 'in_effect',
      riskiest: { runs: 120, share: 0.05 },
    });
    for (const number of [40, 41]) await store.services.analysis.analyzeTrace(tenantId, traceIdOf(number));
    const result = await observationsOf(40);
    const own = result.find(({ subtype }) => subtype === 'unusual_trouble');
    expect(own).toMatchObject({ severity: 'observation', confidence: expect.any(Number) });
    expect(JSON.parse(own!.body).explanation).toMatch(/than all but 5 % of your last 120 runs/);
    const other = await observationsOf(41);
    expect(other.map(({ subtype }) => subtype)).not.toContain('unusual_trouble');
    await store.services.calibration.change(tenantId, { enabled: false });
    await store.services.analysis.analyzeTrace(tenantId, traceIdOf(40));
    const off = await observationsOf(40);
    expect(off.map(({ subtype }) => subtype)).not.toContain('unusual_trouble');
  });
});

describe('traces that are sent', () => {
  const first = () => traceIdOf(1);
  const stored = () =>
    store.db
      .selectFrom('detections')
      .select(['severity', 'confidence', 'subtype'])
      .where('trace_id', '=', first())
      .execute();

  beforeEach(async () => {
    await store.services.thresholds.change(tenantId, { max_steps: 2 });
    for (let number = 1; number <= 100; number += 1) await store.send(tenantId, runSpans(number));
    await store.settle();
  });

  it('have their scores kept once, however often they are analyzed', async () => {
    await store.services.analysis.analyzeTrace(tenantId, first());
    expect(await store.db.selectFrom('calibration_samples').select('trace_id').execute()).toHaveLength(100);
  });

  it('keep a plain fact, whatever users called it', async () => {
    const [before] = await stored();
    expect(before).toMatchObject({ subtype: 'step_budget', confidence: 0.95 });
    const some = await store.db.selectFrom('detections').select('detection_id').limit(3).execute();
    for (const { detection_id } of some) {
      await store.db
        .updateTable('detections')
        .set({ validated: 1, is_valid: 0, validated_at: store.clock.now() })
        .where('detection_id', '=', detection_id)
        .execute();
    }
    expect(await workOut()).toBe(1);
    expect((await get()).frameworks[0]?.adapted).toEqual([]);
    await store.services.analysis.analyzeTrace(tenantId, first());
    expect(await stored()).toEqual([before]);
  });
});
