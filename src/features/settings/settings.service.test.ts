import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import loopCalibration from '../../detectors/loop/calibration.generated.json' with { type: 'json' };
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { putDetectorsOperation, putOverridesOperation } from './settings.operations.ts';

const LOOPING = readFileSync(
  resolve(import.meta.dirname, '../../../test/fixtures/conventions/langgraph/planner-critic-loop.json'),
);

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

/** Detections of the looping run after it was sent and analyzed again. */
async function found(of = tenantId): Promise<string[]> {
  const { spans } = decodeOtlpJson(LOOPING);
  await store.send(of, spans);
  await store.settle(60_000);
  const detections = await store.services.detections.ofTrace(of, spans[0]?.traceId ?? '');
  return detections.map((detection) => detection.detection_type);
}

describe('detector switches', () => {
  it('are on by default, and off for the next trace once switched off', async () => {
    expect(await found()).toEqual(['loop']);
    const switches = await store.services.settings.switchDetectors(tenantId, { loop: false });
    expect(switches.find(({ detector }) => detector === 'loop')).toMatchObject({
      enabled: false,
      subtypes: expect.arrayContaining([
        { subtype: 'exact_repetition', maturity: 'fact', tier: 'experimental', reported: false },
        { subtype: 'rephrasing', maturity: 'preview', tier: 'experimental', reported: false },
      ]),
    });
    expect(await found()).toEqual([]);
  });

  it('merge, and null gives the default back', async () => {
    await store.services.settings.switchDetectors(tenantId, { loop: false, injection: false });
    const switches = await store.services.settings.switchDetectors(tenantId, { loop: null });
    const off = switches.filter(({ enabled }) => !enabled);
    expect(off.map(({ detector }) => detector)).toEqual(['injection']);
    expect(await found()).toEqual(['loop']);
  });

  it('report previews once switched on, and no longer with the default', async () => {
    const ofLoop = (switches: readonly { detector: string; reports_previews: boolean }[]) =>
      switches.find(({ detector }) => detector === 'loop')?.reports_previews;
    const { settings } = store.services;
    expect(ofLoop(await settings.detectors(tenantId))).toBe(false);
    expect(ofLoop(await settings.switchDetectors(tenantId, { loop: true }))).toBe(true);
    expect(ofLoop(await settings.switchDetectors(tenantId, { loop: false }))).toBe(false);
    expect(ofLoop(await settings.switchDetectors(tenantId, { loop: null }))).toBe(false);
  });

  it('are separate for each tenant', async () => {
    const other = await store.newTenant('other');
    await store.services.settings.switchDetectors(tenantId, { loop: false });
    expect(await found(other)).toEqual(['loop']);
  });
});

describe('detector overrides', () => {
  it('move what fires, never the confidence', async () => {
    const { spans } = decodeOtlpJson(LOOPING);
    await found();
    const [before] = await store.services.detections.ofTrace(tenantId, spans[0]?.traceId ?? '');
    await store.services.settings.changeOverrides(tenantId, { loop: 0.1 });
    await found();
    const [after] = await store.services.detections.ofTrace(tenantId, spans[0]?.traceId ?? '');
    expect(after?.confidence).toBe(before?.confidence);
    const overrides = await store.services.settings.changeOverrides(tenantId, { loop: 1 });
    const { subtypes, ...ofDetector } = overrides.loop!;
    expect(subtypes.recursion_limit).toEqual({ override: null, calibrated: 0.3, effective: 1, source: 'override' });
    expect(ofDetector).toEqual({
      override: 1,
      calibrated: loopCalibration.threshold,
      effective: 1,
      source: 'override',
      adapted: [],
    });
    expect(await found()).toEqual([]);
  });

  it('merge, and null resets one', async () => {
    await store.services.settings.changeOverrides(tenantId, { loop: 0.5, injection: 0.6 });
    const overrides = await store.services.settings.changeOverrides(tenantId, { loop: null });
    expect(overrides.loop).toMatchObject({ override: null, effective: loopCalibration.threshold });
    expect(overrides.injection).toMatchObject({ override: 0.6, effective: 0.6 });
  });
});

describe('bodies', () => {
  it.each([
    [putDetectorsOperation.body, { loop: 'off' }],
    [putDetectorsOperation.body, { loops: true }],
    [putOverridesOperation.body, { loop: 1.5 }],
    [putOverridesOperation.body, { loop: -0.1 }],
    [putOverridesOperation.body, { nothing: 0.5 }],
  ])('are refused %#', (schema, body) => {
    expect(schema?.safeParse(body).success).toBe(false);
  });

  it('an unknown name is an error with the known ones', () => {
    const result = putDetectorsOperation.body?.safeParse({ loops: true });
    expect(JSON.stringify(result?.error?.issues)).toContain('state_corruption');
  });
});
