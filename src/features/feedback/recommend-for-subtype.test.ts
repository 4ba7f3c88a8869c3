import { describe, expect, test } from 'vitest';
import { defineDetector } from '../../detectors/_kit/define.ts';
import { runDetectors } from '../../detectors/_runner/run.ts';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import type { RegisteredDetector } from '../../detectors/registry.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import type { NewestFeedbackRow } from '../../store/feedback.store.ts';
import { settingsFor } from '../analysis/analyze-spans.ts';
import { DEFAULT_DETECTION, type TenantDetection } from '../analysis/tenant-detection.ts';
import { recommendationFor } from './recommend-for-subtype.ts';

/** Scores each answer by the number in it; `calibrated` subtypes have a curve and a threshold, `plain` ones the default. */
const SUBTYPE = { impact: 'warning', title: 'Score', businessImpact: 'None.' } as const;
const scoring = defineDetector({
  type: 'loop',
  title: 'Scores',
  failureModes: ['F3'],
  needs: [],
  subtypes: {
    plain: SUBTYPE,
    calibrated: SUBTYPE,
    known: SUBTYPE,
    early: SUBTYPE,
  },
  detect(trace, _options, report) {
    for (const step of trace.steps)
      report({
        subtype: step.name as 'plain',
        score: Number(step.output),
        steps: [step.index],
        step: step.index,
        explanation: 'A score.',
        suggestedAction: 'Look.',
        evidence: [{ kind: 'score', spanId: step.spanId, path: null, quote: step.output, value: null }],
        fixes: [],
        key: step.name,
      });
  },
});
const registered: RegisteredDetector = {
  detector: scoring,
  calibration: {
    threshold: 0.51,
    curve: [],
    subtypes: {
      calibrated: [
        [0, 0],
        [1, 0.9],
      ],
    },
    samples: 100,
  },
  maturity: { plain: { level: 'measured' }, calibrated: { level: 'measured' }, known: { level: 'fact', why: 'Read.' } },
};

const SCORES = Array.from({ length: 40 }, (_, n) => n / 40);
/** Of scores from 0.7 on, most are real; of those below, few. */
const isReal = (score: number, n: number) => (score >= 0.7 ? n % 6 !== 0 : n % 6 === 0);

function reported(subtype: string, tenant: TenantDetection, framework: string) {
  const trace = parseTrace(SCORES.map((score) => `node ${subtype} -> "${score}"`).join('\n'));
  const settings = { ...settingsFor(tenant, framework), models: createModelCatalog(), detectors: [registered] };
  return runDetectors(trace, settings).detections;
}

/** Labels of what the engine makes of each score, observations too. */
function rowsOf(subtype: string, tenant: TenantDetection, framework: string): NewestFeedbackRow[] {
  return reported(subtype, tenant, framework).map(({ step, confidence, severity }) => ({
    detection_id: `det_${framework}_${step}`,
    detection_type: 'loop',
    subtype,
    feedback_type: isReal(SCORES[step!]!, step!) ? 'true_positive' : 'false_positive',
    confidence,
    severity,
    framework,
  }));
}

const firing = (subtype: string, tenant: TenantDetection, framework: string) =>
  reported(subtype, tenant, framework).filter(({ severity }) => severity !== 'observation').length;
const fired = (figures: { truePositives: number; falsePositives: number } | null) =>
  figures === null ? null : figures.truePositives + figures.falsePositives;

const adapted = (from: number): TenantDetection['adapted'] => ({
  crewai: Object.fromEntries(
    ['plain', 'calibrated', 'known'].map((one) => [`loop/${one}`, { firing: from, warning: null, why: '.' }]),
  ),
});
const scaled = (confidenceScaling: number): TenantDetection['thresholds'] => ({
  global: { confidenceScaling },
  frameworks: {},
});

const TENANTS: [string, Partial<TenantDetection>][] = [
  ['the default', {}],
  ['an override of the detector', { overrides: { loop: 0.2 } }],
  [
    'an override of the subtype beside one of the detector',
    { overrides: { loop: 0.9, 'loop/plain': 0.1, 'loop/calibrated': 0.1 } },
  ],
  ['a scale', { thresholds: scaled(1.4) }],
  ['an adaptation in one of two frameworks', { adapted: adapted(0.2) }],
  ['an adaptation that a scale of the tenant replaces', { adapted: adapted(0.2), thresholds: scaled(0.9) }],
];

describe.each(['plain', 'calibrated', 'known'])('advice on %s subtypes', (subtype) => {
  test.each(TENANTS)('has the predicted effect with %s', (_, change) => {
    const tenant = { ...DEFAULT_DETECTION, ...change };
    const frameworks = ['crewai', 'ag2'];
    const rows = frameworks.flatMap((framework) => rowsOf(subtype, tenant, framework));
    const firingIn = (of: TenantDetection) =>
      frameworks.reduce((sum, framework) => sum + firing(subtype, of, framework), 0);
    for (const goal of [{ kind: 'f1' } as const, { kind: 'precision', target: 0.8 } as const]) {
      const result = recommendationFor(rows, tenant, goal, [registered])!;
      expect(fired(result.before)).toBe(firingIn(tenant));
      if (result.threshold === null) continue;
      const applied = { ...tenant, overrides: { ...tenant.overrides, [`loop/${subtype}`]: result.threshold } };
      const after = rows.map((row) => ({ ...row }));
      expect(fired(result.after)).toBe(fired(recommendationFor(after, applied, goal, [registered])!.before));
      // What was not even observed before has no label, so lower thresholds can fire more than is known.
      if (result.action === 'raise') expect(fired(result.after)).toBe(firingIn(applied));
      else expect(firingIn(applied)).toBeGreaterThanOrEqual(fired(result.after)!);
    }
  });
});

test('some of these pieces of advice change something', () => {
  const rows = rowsOf('plain', DEFAULT_DETECTION, 'ag2');
  expect(recommendationFor(rows, DEFAULT_DETECTION, { kind: 'f1' }, [registered])).toMatchObject({
    detector: 'loop',
    subtype: 'plain',
    action: 'raise',
    current: 0.3,
    source: 'calibrated',
  });
});

test('a preview is advised on only once the detector is switched on', () => {
  const on = { ...DEFAULT_DETECTION, enabled: { loop: true } };
  const rows = rowsOf('early', on, 'ag2');
  const silent = recommendationFor(rows, DEFAULT_DETECTION, { kind: 'f1' }, [registered])!;
  expect([fired(silent.before), silent.threshold]).toEqual([0, null]);
  const results = recommendationFor(rows, on, { kind: 'f1' }, [registered])!;
  expect(fired(results.before)).toBe(firing('early', on, 'ag2'));
  expect(results.action).toBe('raise');
});

test('an unknown subtype is left out', () => {
  const [row] = rowsOf('plain', DEFAULT_DETECTION, 'ag2');
  expect(recommendationFor([{ ...row!, subtype: 'gone' }], DEFAULT_DETECTION, { kind: 'f1' }, [registered])).toBeNull();
});
