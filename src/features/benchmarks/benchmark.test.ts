import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DETECTION_TYPES } from '../../core/detection.ts';
import { type DetectorScores, tierOf } from '../../detectors/detector-scores.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { benchmarks, detectorStatus } from './benchmark.ts';
import { FAILURE_MODES } from './failure-modes.ts';
import { amongRunsThatCouldFire } from './flag-rates.ts';

interface Report {
  date: string | null;
  split: 'dev';
  scores: DetectorScores;
}

const root = join(import.meta.dirname, '../../..');
const reportText = readFileSync(join(root, 'docs/evaluation.generated.json'), 'utf8');
const report = JSON.parse(reportText) as Report;

describe('benchmarks', () => {
  const { items } = benchmarks();

  test('are the 16 failure modes in order', () => {
    expect(items.map(({ mode }) => mode)).toEqual(Array.from({ length: 16 }, (_, nth) => `F${nth + 1}`));
  });

  test.each(items.map((item) => [item.mode, item] as const))('%s is served as reported', (mode, item) => {
    const { measured, tier } = report.scores.modes.find((one) => one.mode === mode)!;
    expect(item.tier).toBe(tier);
    expect(item.detection_rate).toBe(measured?.recall?.value ?? null);
    expect(item.interval).toEqual(measured?.recall?.interval ?? null);
    expect(item.sample_count).toBe(measured?.samples ?? 0);
    expect(item.data_set).toBe(measured?.set ?? null);
  });

  test('a mode without labelled data has no rate', () => {
    const unmeasured = items.filter(({ data_set }) => data_set === null);
    expect(unmeasured.map(({ mode }) => mode)).toEqual(expect.arrayContaining(['F2', 'F5', 'F16']));
    for (const { detection_rate, interval, tier } of unmeasured)
      expect([detection_rate, interval, tier]).toEqual([null, null, 'experimental']);
  });

  test('the detectors of a mode are those whose manifest names it, without those that need budgets of a tenant', () => {
    const { detectors } = FAILURE_MODES.find(({ mode }) => mode === 'F3')!;
    expect(detectors).toEqual(expect.arrayContaining(['loop', 'resource_misallocation']));
    expect(detectors).not.toContain('cost_overrun');
    expect(detectors).not.toContain('completion');
  });

  test('every mode has a detector', () => {
    expect(FAILURE_MODES.filter(({ detectors }) => detectors.length === 0)).toEqual([]);
  });
});

const NEWER_THAN_REPORT = { measured: null, tier: 'experimental', healthy: null, further: [] };

describe('detector status', () => {
  const { items } = detectorStatus();

  test('has every detector once', () => {
    expect(items.map(({ detector }) => detector)).toEqual([...DETECTION_TYPES]);
  });

  test.each(items.map((item) => [item.detector, item] as const))('%s is served as reported', (detector, item) => {
    const reported = report.scores.detectors.find((one) => one.detector === detector);
    const { measured, tier, healthy, further } = reported ?? NEWER_THAN_REPORT;
    expect(item).toMatchObject({
      tier,
      f1: measured?.f1?.value ?? null,
      precision: measured?.precision?.value ?? null,
      recall: measured?.recall?.value ?? null,
      sample_count: measured?.samples ?? 0,
      positive_count: measured?.positives ?? 0,
      found_count: measured?.truePositives ?? 0,
      reported_count: measured ? measured.truePositives + measured.falsePositives : 0,
    });
    if (item.healthy_flag_rate !== null) expect(item.healthy_flag_rate.flagged_count).toBe(healthy?.fired);
    expect(item.further).toHaveLength(further.length);
    expect(tierOf(detector)).toBe(tier);
  });

  test('counts only runs on which a reported subtype could fire', () => {
    for (const { healthy_flag_rate: rate, subtypes } of items) {
      const own = subtypes.filter(({ maturity }) => maturity !== 'preview');
      const leftOut = Math.max(0, ...own.map(({ left_out_healthy }) => left_out_healthy?.could_fire ?? 0));
      expect(rate?.sample_count ?? 0).toBeGreaterThanOrEqual(own.length === 0 ? 0 : Math.min(leftOut, 1));
    }
    expect(items.find(({ detector }) => detector === 'secret_leak')!.healthy_flag_rate).toBeNull();
  });

  test.each([
    ['no subtype could fire', { n: 2_401, fired: 0 }, [0, 0], null],
    ['no subtype is reported', { n: 2_401, fired: 0 }, [], null],
    ['one subtype', { n: 2_401, fired: 3 }, [75], { n: 75, fired: 3, isAtLeast: false }],
    ['several subtypes', { n: 2_401, fired: 3 }, [75, 242, 0], { n: 242, fired: 3, isAtLeast: true }],
    ['a subtype that could fire on every run', { n: 2_401, fired: 3 }, [75, 2_401], { n: 2_401, isAtLeast: false }],
    ['detections on more runs than any subtype could fire on', { n: 90, fired: 3 }, [2, 1], { n: 3, isAtLeast: true }],
  ])('the runs of a flag rate: %s', (_, measured, counts, expected) => {
    const rate = amongRunsThatCouldFire(measured, counts);
    if (expected === null) expect(rate).toBeNull();
    else expect(rate).toMatchObject(expected);
  });

  test('serves the maturity of every subtype, and why a preview is not measured', () => {
    const subtypes = items.flatMap(({ subtypes }) => subtypes);
    const registered = DETECTORS.flatMap(({ detector }) => Object.keys(detector.subtypes));
    expect(subtypes.map(({ subtype }) => subtype).sort()).toEqual(registered.sort());
    expect(subtypes.filter(({ maturity }) => maturity === 'preview').length).toBeGreaterThan(0);
    for (const { maturity, not_measured_because, fact_because } of subtypes) {
      expect(typeof not_measured_because).toBe(maturity === 'preview' ? 'string' : 'object');
      expect(typeof fact_because).toBe(maturity === 'fact' ? 'string' : 'object');
    }
    expect(items.find(({ detector }) => detector === 'loop')!.subtypes).toContainEqual(
      expect.objectContaining({ subtype: 'exact_repetition', title: 'The same call repeated in a row' }),
    );
  });

  test('only held-out data lift a tier', () => {
    const lifted = items.filter(({ tier }) => tier !== 'experimental');
    for (const { basis } of lifted) expect(['out-of-fold', 'set left out', 'never fitted']).toContain(basis);
  });
});
