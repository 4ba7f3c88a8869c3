import { describe, expect, test } from 'vitest';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { rootCauseOf } from '../src/features/traces/root-cause.ts';
import { leadsOf } from '../src/features/traces/run-leads.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { allRuns } from './support/all-runs.ts';

const models = createModelCatalog();
const runs = allRuns().map(([name, spans]) => {
  const { trace, result } = analyzeSpans(spans, { isSettled: true, models, tenant: DEFAULT_DETECTION });
  const reported = result.detections.filter(({ severity }) => severity !== 'observation');
  return { name, trace, reported, cause: rootCauseOf(trace, reported), leads: leadsOf(trace, reported) };
});

describe('over every fixture and demo run', () => {
  test('a root cause comes before the worst detection and does not repeat one', () => {
    for (const { name, reported, cause } of runs) {
      if (cause === null) continue;
      const named = reported.flatMap(({ step }) => (step === null ? [] : [step]));
      expect(named, name).not.toContain(cause.step);
      if (cause.shows_at !== null) expect(cause.step, name).toBeLessThan(cause.shows_at.step);
      expect(cause.why.length, name).toBeGreaterThan(0);
    }
  });

  test('the demo runs are explained by their detections', () => {
    const demo = runs.filter(({ name }) => name.startsWith('demo: '));
    expect(demo.filter(({ cause }) => cause !== null).map(({ name }) => name)).toEqual([]);
    expect(demo.some(({ reported }) => reported.length > 0)).toBe(true);
  });

  test('a run has leads if and only if it failed without a detection', () => {
    for (const { name, trace, reported, leads } of runs)
      expect(leads.length > 0, name).toBe(trace.status === 'error' && reported.length === 0);
  });

  test('every failed run has at most three leads, none of them the user', () => {
    const failed = runs.filter(({ trace }) => trace.status === 'error');
    expect(failed.length).toBeGreaterThan(5);
    for (const { name, trace } of failed) {
      const steps = leadsOf(trace, []).map(({ step }) => step);
      expect(steps.length, name).toBeGreaterThan(0);
      expect(new Set(steps).size, name).toBe(steps.length);
      expect(steps.length, name).toBeLessThanOrEqual(3);
      for (const step of steps) expect(trace.steps[step]!.outputMessages[0]?.role, name).not.toBe('user');
    }
  });
});
