import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Calibration } from '../_kit/calibration.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import type { SubtypeInfo } from '../_kit/manifest.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { tierOf } from '../detector-scores.ts';
import type { RegisteredDetector } from '../registry.ts';
import { subtypeTier } from './maturity-limit.ts';
import { type EngineSettings, runDetectors } from './run.ts';

const TRACE = parseTrace('agent clerk\nllm m -> "one"\nagent boss\nllm m -> "two"');

const CALIBRATION: Calibration = {
  threshold: 0.5,
  curve: [
    [0, 0],
    [1, 1],
  ],
  samples: 60,
};

function draft(change: Partial<DetectionDraft> = {}): DetectionDraft {
  return {
    subtype: 'talk',
    score: 1,
    step: 1,
    steps: [0, 1],
    explanation: 'clerk and boss talked, which was enough for this test to fire.',
    suggestedAction: 'Stop.',
    evidence: [{ kind: 'text', spanId: TRACE.steps[0]!.spanId, path: null, quote: 'q'.repeat(400), value: null }],
    fixes: [],
    key: 'order 17',
    ...change,
  };
}

function detector(
  drafts: readonly Partial<DetectionDraft>[],
  more: {
    impact?: SubtypeInfo['impact'];
    calibration?: Calibration;
    maturity?: RegisteredDetector['maturity'];
    type?: 'loop' | 'grounding';
    needs?: [] | ['states'];
  } = {},
): RegisteredDetector {
  const info = {
    title: 'Talk',
    impact: more.impact ?? ('critical' as const),
    businessImpact: 'None.',
    failureModes: ['FM-1.3'],
  };
  return {
    detector: defineDetector<string>({
      type: more.type ?? 'loop',
      title: 'Loop',
      failureModes: ['F3', 'FM-1.3'],
      needs: more.needs ?? ['steps'],
      subtypes: { talk: info, other: info },
      detect(_trace, _options, report) {
        for (const each of drafts) report(draft(each));
      },
    }),
    calibration: more.calibration ?? null,
    ...(more.maturity === undefined ? {} : { maturity: more.maturity }),
  };
}

function run(detectors: RegisteredDetector[], settings: Partial<EngineSettings> = {}) {
  return runDetectors(TRACE, {
    thresholds: DEFAULT_THRESHOLDS,
    models: NO_MODELS,
    overrides: {},
    enabled: {},
    detectors,
    ...settings,
  });
}

const RAISED = { firing: 0.9, warning: null, why: 'It is usual here.' };

function adapted(firing: number, warning: number | null = null): Partial<EngineSettings> {
  return { adapted: { 'loop/talk': { ...RAISED, firing, warning } } };
}

describe('runDetectors', () => {
  it('a subtype without labels has the same threshold as a detector without labels', () => {
    const calibration: Calibration = {
      ...CALIBRATION,
      curve: [],
      subtypes: { talk: CALIBRATION.curve },
      label: 'run_failed',
    };
    const severities = (subtype: string, score: number) =>
      run([detector([{ subtype, score }], { calibration })]).detections.map(({ severity }) => severity);
    expect(severities('talk', 0.45)).toEqual(['observation']);
    expect(severities('other', 0.45)).toEqual(['info']);
    expect(severities('talk', 0.6)).toEqual(['warning']);
    expect(severities('talk', 0.9)).toEqual(['critical']);
  });

  describe('maturity', () => {
    const preview = { talk: { level: 'preview' } } as const;
    const fact = { talk: { level: 'fact', why: 'It is written there.' } } as const;
    const resultsOf = (score: number, maturity: RegisteredDetector['maturity'], settings = {}) =>
      run([detector([{ score }], { maturity })], settings).detections.map(({ severity, confidence }) => [
        severity,
        confidence,
      ]);

    it.each([
      ['in preview', 1, preview, {}, [['observation', 0.7]]],
      ['in preview of a detector that was switched on', 1, preview, { enabled: { loop: true } }, [['critical', 0.7]]],
      ['that is not listed', 1, {}, {}, [['observation', 0.7]]],
      ['in preview, whatever the override', 1, preview, { overrides: { loop: 0.1 } }, [['observation', 0.7]]],
      ['in preview, though its traffic raised it', 0.6, preview, adapted(0.5), [['observation', 0.42]]],
      ['in preview that users validated as real', 0.6, preview, adapted(0.4, 0.4), [['warning', 0.42]]],
      ['in preview below what users validated as real', 0.5, preview, adapted(0.4, 0.4), [['observation', 0.35]]],
      ['that states a fact', 1, fact, {}, [['critical', 0.95]]],
      ['that states a fact with a lower score', 0.6, fact, {}, [['warning', 0.95]]],
      ['that states a fact, though its traffic is full of it', 0.6, fact, adapted(0.99), [['warning', 0.95]]],
      ['whose evidence is too weak for a fact', 0.3, fact, {}, [['observation', 0.21]]],
      ['that states a fact, with a high override', 0.6, fact, { overrides: { loop: 0.9 } }, [['warning', 0.95]]],
      ['that was measured', 0.6, { talk: { level: 'measured' } } as const, {}, [['warning', 0.42]]],
    ])('of a subtype %s', (_, score, maturity, settings, expected) => {
      expect(resultsOf(score, maturity, settings)).toEqual(expected);
    });
  });

  it('has the tier of the subtype, not that of the detector', () => {
    const level = { level: 'fact', why: 'It is written there.' } as const;
    const registered = detector([], { maturity: { talk: level, other: level } });
    expect(subtypeTier(registered, 'talk')).toBe('experimental');
    const only = detector([], { maturity: { talk: level } });
    expect([subtypeTier(only, 'talk'), subtypeTier(only, 'other')]).toEqual([tierOf('loop'), 'experimental']);
  });

  it('builds the whole detection', () => {
    const [detection] = run([detector([{}])]).detections;
    expect(detection).toMatchObject({
      type: 'loop',
      subtype: 'talk',
      failureModes: ['F3', 'FM-1.3'],
      agent: 'boss',
      spanIds: TRACE.steps.map((step) => step.spanId),
      step: 1,
      confidence: 0.7,
      isCalibrated: false,
      severity: 'critical',
      tier: 'experimental',
      method: 'rule',
      wastedTokens: 0,
    });
    expect(detection!.evidence[0]!.quote).toHaveLength(300);
    expect(detection!.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    ['above its threshold', 0.6, {}, 'warning'],
    ['with a lower score', 0.5, {}, 'info'],
    ['at half the threshold', 0.22, {}, 'observation'],
    ['below half the threshold', 0.2, {}, undefined],
    ['with a lower override', 0.22, { overrides: { loop: 0.1 } }, 'info'],
    ['with a higher override', 0.8, { overrides: { loop: 0.9 } }, 'observation'],
    ['with a higher override than twice its confidence', 0.5, { overrides: { loop: 0.9 } }, undefined],
    ['raised by its traffic', 0.6, adapted(0.5), 'observation'],
    ['raised far by its traffic', 0.6, adapted(0.95), 'observation'],
    ['raised by its traffic though critical', 1, adapted(0.99), 'critical'],
    ['lowered by its traffic', 0.22, adapted(0.15), 'info'],
    ['lowered by its traffic to a warning', 0.22, adapted(0.15, 0.15), 'warning'],
    ['lowered by its traffic, and still not reached', 0.12, adapted(0.15, 0.15), 'observation'],
    ['lowered, though far below', 0.05, adapted(0.15, 0.15), undefined],
    ['at an override, whatever its traffic', 0.6, { ...adapted(0.9), overrides: { loop: 0.2 } }, 'warning'],
    ['as usual if only another subtype is adapted', 0.6, { adapted: { 'loop/other': RAISED } }, 'warning'],
  ])('fires %s', (_, score, settings, severity) => {
    expect(run([detector([{ score }])], settings).detections[0]?.severity).toBe(severity);
  });

  it('scales the score for the threshold, never the reported confidence', () => {
    const scaled = (confidenceScaling: number) =>
      run([detector([{ score: 0.5 }])], { thresholds: { ...DEFAULT_THRESHOLDS, confidenceScaling } }).detections[0];
    expect(scaled(1)).toMatchObject({ confidence: 0.35, severity: 'info' });
    expect(scaled(0.5)).toMatchObject({ confidence: 0.35, severity: 'observation' });
  });

  it('explains a detection that fires only because of the traffic; it is at most a warning', () => {
    const settings = { adapted: { 'loop/talk': { firing: 0.4, warning: 0.4, why: 'It is rare here.' } } };
    const strict: Calibration = { ...CALIBRATION, threshold: 0.9 };
    const [detection] = run([detector([{ score: 0.8 }], { calibration: strict })], settings).detections;
    expect(detection).toMatchObject({ severity: 'warning', confidence: 0.8 });
    expect(detection?.explanation).toMatch(/to fire\. It is rare here\.$/);
    const usual = run([detector([{ score: 0.95 }], { calibration: strict })], settings).detections[0];
    expect(usual?.severity).toBe('critical');
    expect(usual?.explanation).not.toContain('rare');
  });

  it('keeps the highest confidence of each subtype, fired or not', () => {
    const { signals } = run([detector([{ score: 0.1 }, { score: 0.05 }, { subtype: 'other', score: 0.9 }])]);
    expect(signals).toEqual({ 'loop/talk': 0.07, 'loop/other': 0.63 });
  });

  it('takes confidence and threshold from the calibration', () => {
    const found = run([detector([{ score: 0.8 }, { score: 0.4, subtype: 'other' }], { calibration: CALIBRATION })]);
    expect(found.detections).toMatchObject([
      { confidence: 0.8, isCalibrated: true, severity: 'critical' },
      { confidence: 0.4, severity: 'observation' },
    ]);
  });

  it('uses the probability of a model unchanged', () => {
    const model = { name: 'some-model', probability: 0.8214 };
    const [found] = run([detector([{ score: 0.1, model }], { calibration: CALIBRATION })]).detections;
    expect(found).toMatchObject({ confidence: 0.821, isCalibrated: true, method: 'some-model', severity: 'critical' });
  });

  it('keeps the strongest detection per identity and sorts by severity', () => {
    const found = run([
      detector([{ score: 0.5 }, { score: 0.9 }, { subtype: 'other', score: 0.95 }, { steps: [1], score: 0.9 }]),
    ]);
    expect(found.detections.map(({ subtype, confidence }) => [subtype, confidence])).toEqual([
      ['other', 0.665],
      ['talk', 0.63],
      ['talk', 0.63],
    ]);
  });

  it('continues when a detector crashes or breaks the contract, and discards its detections', () => {
    const crashing = detector([{}]);
    crashing.detector.detect = (_trace, _options, report) => {
      report(draft());
      throw new Error('boom');
    };
    const result = run([
      crashing,
      detector([{ score: Number.NaN }]),
      detector([{ steps: [7] }]),
      detector([{}], { type: 'grounding' }),
    ]);
    expect(result.crashed.map(({ message }) => message)).toEqual([
      'boom',
      'score NaN is not within 0–1',
      'a detection names no existing step',
    ]);
    expect(result.detections.map(({ type }) => type)).toEqual(['grounding']);
    expect(result.signals).toEqual({ 'grounding/talk': 0.7 });
  });

  it('lists the detectors that are not applicable', () => {
    expect(run([detector([{}], { needs: ['states'] })]).notApplicable).toEqual([
      { type: 'loop', why: 'the trace records no state' },
    ]);
  });

  it('runs every detector that the tenant has not switched off', () => {
    expect(run([detector([{}])]).detections).toHaveLength(1);
    expect(run([detector([{}])], { enabled: { loop: true } }).detections).toHaveLength(1);
    expect(run([detector([{}])], { enabled: { loop: false } }).detections).toEqual([]);
  });

  it('starts no further detector after the time limit, and reports which it starts', () => {
    let ms = 0;
    const started: string[] = [];
    const within = (_ms: number, ask: () => void) => {
      ask();
      return true;
    };
    const result = run([detector([{}]), detector([{}], { type: 'grounding' })], {
      limit: { now: () => (ms += 2), traceMs: 5, detectorMs: 100, within },
      onStart: (type) => started.push(type),
    });
    expect(result.detections.map(({ type }) => type)).toEqual(['loop']);
    expect(result.overran).toEqual([{ type: 'grounding', ms: null }]);
    expect(started).toEqual(['loop']);
  });

  it('groups a recurring fault and separates others', () => {
    const print = (change: Partial<DetectionDraft>) => run([detector([change])]).detections[0]!.fingerprint;
    expect(print({ key: 'order 17 of 2026-01-02, id 0af7651916cd43dd' })).toBe(
      print({ key: 'Order 4 of 2025-11-30, id 77ab12cd99ef0011' }),
    );
    expect(print({ key: 'invoice 17' })).not.toBe(print({}));
    expect(print({ agent: 'clerk' })).not.toBe(print({}));
  });
});
