import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import { type DetectionDraft, type Detector, defineDetector } from '../_kit/define.ts';
import { questionAbout, type Verdict, yesSupports } from '../_kit/question.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import type { RegisteredDetector } from '../registry.ts';
import { type EngineSettings, runDetectors } from './run.ts';

const TRACE = parseTrace('agent clerk\nllm m -> "one"\nagent boss\nllm m -> "two"');
const [FIRST, SECOND] = TRACE.steps.map(({ spanId }) => spanId);

function draft(subtype: string, score: number, step = 0): DetectionDraft {
  return {
    subtype,
    score,
    step,
    steps: [step],
    explanation: 'clerk and boss talked, which was enough for this test to fire.',
    suggestedAction: 'Stop.',
    evidence: [{ kind: 'text', spanId: TRACE.steps[step]!.spanId, path: null, quote: 'one', value: null }],
    fixes: [],
    key: 'talk',
  };
}

const calibrated = { threshold: 0.2, curve: [[0, 0] as const, [1, 1] as const], tier: 'beta' as const, samples: 60 };

function detector(
  drafts: readonly DetectionDraft[],
  change: Partial<Detector> & Partial<Pick<RegisteredDetector, 'calibration'>> = {},
): RegisteredDetector {
  const { calibration = null, ...more } = change;
  const info = { title: 'Talk', impact: 'warning' as const, businessImpact: 'None.' };
  return {
    detector: defineDetector<string>({
      type: 'derailment',
      title: 'Derailment',
      failureModes: ['F6'],
      needs: [],
      subtypes: { talk: info, grave: { ...info, impact: 'critical' }, small: { ...info, impact: 'info' } },
      questions: (_trace, options) =>
        options.drafts.map((each) => questionAbout(each, 'Is it so?', [{ label: 'said', text: each.key }])),
      conclude: yesSupports,
      detect: (_trace, _options, report) => drafts.forEach(report),
      ...more,
    }),
    calibration,
  };
}

function run(
  registered: RegisteredDetector,
  answers?: Record<string, Verdict>,
  settings: Partial<EngineSettings> = {},
) {
  const entries = Object.entries(answers ?? {}).map(([key, verdict]) => [key, { verdict, reason: 'so', model: 'm' }]);
  return runDetectors(TRACE, {
    thresholds: DEFAULT_THRESHOLDS,
    models: NO_MODELS,
    overrides: {},
    enabled: {},
    detectors: [registered],
    answers: answers === undefined ? undefined : Object.fromEntries(entries),
    ...settings,
  });
}

const TALK = `derailment talk ${FIRST}`;
const keysOf = (registered: RegisteredDetector, settings: Partial<EngineSettings> = {}) =>
  run(registered, {}, settings).questions.map(({ key }) => key);

describe('questions', () => {
  it('are not collected without an answer store', () => {
    expect(run(detector([draft('talk', 0.6)])).questions).toEqual([]);
  });

  it.each([
    ['one about a detection that fired', draft('talk', 0.6), 1],
    ['one about an observation', draft('talk', 0.25), 1],
    ['none about a score below that of an observation', draft('talk', 0.2), 0],
    ['none about a nearly certain detection', draft('talk', 0.86), 0],
    ['none about a critical detection', draft('grave', 0.6), 0],
    ['none about an observation of a critical subtype', draft('grave', 0.25), 0],
    ['one about a detection of low impact', draft('small', 0.6), 1],
  ])('%s', (_name, each, count) => {
    expect(keysOf(detector([each]))).toHaveLength(count);
  });

  it('are not collected from a detector without questions or without conclude', () => {
    expect(keysOf(detector([draft('talk', 0.6)], { questions: undefined }))).toEqual([]);
    expect(keysOf(detector([draft('talk', 0.6)], { conclude: undefined }))).toEqual([]);
  });

  it('are about the three detections of highest score', () => {
    const one = parseTrace('agent a\nllm m -> "1"\nllm m -> "2"\nllm m -> "3"\nllm m -> "4"\nllm m -> "5"');
    const drafts = [0.3, 0.7, 0.5, 0.4, 0.6].map((score, step) => ({
      ...draft('talk', score),
      step,
      steps: [step],
    }));
    const questions = runDetectors(one, {
      thresholds: DEFAULT_THRESHOLDS,
      models: NO_MODELS,
      overrides: {},
      enabled: {},
      detectors: [detector(drafts)],
      answers: {},
    }).questions;
    expect(questions.map(({ about }) => about.step)).toEqual([1, 4, 2]);
  });

  it('are never about a detection that the rules did not produce', () => {
    const invented = [questionAbout(draft('talk', 0.6, 1), 'Is it so?', [])];
    expect(keysOf(detector([draft('talk', 0.6)], { questions: () => invented }))).toEqual([]);
  });

  it('are collected once if two detections share an identity', () => {
    expect(keysOf(detector([draft('talk', 0.6), draft('talk', 0.5)]))).toEqual([TALK]);
  });

  it('that throw do not affect the detections of the rules', () => {
    const broken = detector([draft('talk', 0.6)], {
      questions: () => {
        throw new Error('no words');
      },
    });
    const { detections, crashed, questions } = run(broken, {});
    expect([detections.length, questions.length]).toEqual([1, 0]);
    expect(crashed).toEqual([{ type: 'derailment', message: 'no words' }]);
  });
});

describe('an answer of the judge', () => {
  it.each([
    // score, calibrated?, verdict, confidence, severity, method
    ['yes raises the confidence of a detection that fired', 0.6, false, 'yes', 0.57, 'warning', 'judge'],
    ['yes raises the confidence at most to the limit', 0.85, false, 'yes', 0.7, 'warning', 'judge'],
    ['yes makes an observation fire', 0.25, false, 'yes', 0.325, 'info', 'judge'],
    ['yes does not change a calibrated probability', 0.5, true, 'yes', 0.5, 'warning', 'rule'],
    ['yes to a calibrated observation gives an uncalibrated confidence', 0.15, true, 'yes', 0.3, 'info', 'judge'],
    ['no lowers the confidence of a detection that fired', 0.6, false, 'no', 0.21, 'observation', 'judge'],
    ['no lowers a calibrated confidence', 0.5, true, 'no', 0.25, 'observation', 'judge'],
    ['unsure changes nothing', 0.6, false, 'unsure', 0.42, 'warning', 'rule'],
  ] as const)('%s', (_name, score, isCalibrated, verdict, confidence, severity, method) => {
    const registered = detector([draft('talk', score)], { calibration: isCalibrated ? calibrated : null });
    const [found] = run(registered, { [TALK]: verdict }).detections;
    expect(found).toMatchObject({ confidence, severity, method });
    expect(found?.isCalibrated).toBe(isCalibrated && method === 'rule');
  });

  it('no removes an observation', () => {
    expect(run(detector([draft('talk', 0.25)]), { [TALK]: 'no' }).detections).toEqual([]);
  });

  it('does not raise the confidence above the limit for a higher threshold', () => {
    const settings = { overrides: { derailment: 0.8 } };
    const [found] = run(detector([draft('talk', 0.6)]), { [TALK]: 'yes' }, settings).detections;
    expect(found).toMatchObject({ severity: 'observation', confidence: 0.7 });
  });

  it('is added to the evidence, truncated to the length limit', () => {
    const answers = { [TALK]: { verdict: 'yes' as const, reason: 'r'.repeat(900), model: 'm' } };
    const [found] = run(detector([draft('talk', 0.6)]), undefined, { answers }).detections;
    expect(found?.evidence.at(-1)).toMatchObject({
      kind: 'judge',
      spanId: FIRST,
      value: { verdict: 'yes', model: 'm' },
    });
    expect(found?.evidence.at(-1)?.quote).toHaveLength(200);
  });

  it('removes its question and changes no other detection', () => {
    const registered = detector([draft('talk', 0.6), draft('talk', 0.5, 1)]);
    const { questions, detections } = run(registered, { [TALK]: 'no' });
    expect(questions.map(({ key }) => key)).toEqual([`derailment talk ${SECOND}`]);
    expect(detections.map(({ severity }) => severity)).toEqual(['info', 'observation']);
  });

  it.each([
    ['to an unknown key', { 'derailment talk nowhere': 'no', constructor: 'no' }],
    ['about a certain detection', { [`derailment sure ${FIRST}`]: 'no' }],
  ] as const)('%s changes nothing', (_name, answers) => {
    const registered = detector([draft('talk', 0.6)]);
    expect(run(registered, { ...answers }).detections).toEqual(run(registered).detections);
  });

  it('a conclusion about a detection without a question is ignored', () => {
    const registered = detector([draft('grave', 0.9), draft('talk', 0.6, 1)], {
      conclude: () => [{ about: { subtype: 'grave', step: 0 }, effect: 'doubt' }],
    });
    const answers = { [`derailment talk ${SECOND}`]: 'no' as const };
    expect(run(registered, answers).detections).toEqual(run(registered).detections);
  });
});
