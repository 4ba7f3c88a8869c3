import { describe, expect, test } from 'vitest';
import { DETECTION_TYPES } from '../../src/core/detection.ts';
import type { Case } from './cases.ts';
import { detectorScores } from './detector-scores.ts';
import { madeCase, madeDetection } from './made-case.ts';
import { noAnswers } from './out-of-fold.ts';

const scoresOf = (cases: readonly Case[], answers = noAnswers()) => {
  const { detectors, modes } = detectorScores(cases, answers);
  return {
    detector: (name: string) => detectors.find(({ detector }) => detector === name)!,
    mode: (name: string) => modes.find(({ mode }) => mode === name)!,
  };
};

const mast = (id: string, real: string[], said: Parameters<typeof madeDetection>[0][], judged = ['FM-1.3', 'FM-3.2']) =>
  madeCase(id, {
    set: 'masft_human',
    labels: { failure_modes: real, annotated_modes: judged },
    prediction: { detections: said.map(madeDetection) },
  });

const pair = (id: string, set: string, is_hallucination: boolean, hallucination: number | null) =>
  madeCase(id, {
    set,
    kind: 'text-pair',
    labels: { is_hallucination },
    prediction: { scores: { injection: null, hallucination, failed: null } },
  });

describe('detectors against MAST modes', () => {
  const cases = [
    mast('a', ['FM-1.3'], [{ type: 'loop', failure_modes: ['F3', 'FM-1.3'] }]),
    mast('b', ['FM-1.3'], [{ type: 'loop', severity: 'observation', failure_modes: ['FM-1.3'] }]),
    mast('c', [], [{ type: 'loop', failure_modes: ['F3', 'FM-1.3'] }]),
    mast('d', ['FM-3.2'], []),
    mast('not judged for it', ['FM-1.3'], [{ type: 'loop', failure_modes: ['FM-1.3'] }], ['FM-3.2']),
  ];

  test('an observation is not said, and only judged runs count', () => {
    expect(scoresOf(cases).detector('loop').measured).toMatchObject({
      samples: 4,
      positives: 2,
      truePositives: 1,
      falsePositives: 1,
      falseNegatives: 1,
      precision: { value: 0.5 },
      recall: { value: 0.5 },
      basis: 'as shipped',
    });
  });

  test('a mode is found by any of its detectors', () => {
    expect(scoresOf(cases).mode('F3').measured).toMatchObject({ recall: { value: 0.5 }, set: 'masft_human' });
  });

  test('a finding that names another mode does not count', () => {
    const other = [mast('a', ['FM-1.3'], [{ type: 'loop', failure_modes: ['FM-1.5'] }])];
    expect(scoresOf(other).detector('loop').measured).toMatchObject({ truePositives: 0, falseNegatives: 1 });
  });

  test('rules that were written on the data stay experimental, however right they are', () => {
    const many = Array.from({ length: 200 }, (_, nth) =>
      mast(`${nth}`, nth % 2 ? ['FM-1.3'] : [], nth % 2 ? [{ type: 'loop', failure_modes: ['FM-1.3'] }] : []),
    );
    expect(scoresOf(many).detector('loop')).toMatchObject({ tier: 'experimental', measured: { f1: { value: 1 } } });
  });
});

test('categories of TRAIL count by run', () => {
  const trail = (id: string, category: string, type: 'loop' | 'completion') =>
    madeCase(id, {
      set: 'trail',
      labels: { errors: [{ span_id: 'x', category }] },
      prediction: { detections: [madeDetection({ type })] },
    });
  const cases = [
    trail('a', 'Resource Abuse', 'loop'),
    trail('b', 'Goal Deviation', 'loop'),
    trail('c', 'Resource Abuse', 'completion'),
  ];
  expect(scoresOf(cases).detector('loop').measured).toMatchObject({
    truePositives: 1,
    falsePositives: 1,
    falseNegatives: 1,
  });
  expect(scoresOf(cases).detector('completion').measured).toBeNull();
});

test('where annotators used other categories too, a finding elsewhere is no false alarm', () => {
  const cases = [
    madeCase('a', {
      set: 'trail',
      labels: { errors: [{ span_id: 'x', category: 'Timeout Issues' }] },
      prediction: { detections: [madeDetection({ type: 'tool_failure' })] },
    }),
  ];
  expect(scoresOf(cases).detector('tool_failure').measured).toMatchObject({
    recall: { value: 1 },
    precision: null,
    f1: null,
  });
});

describe('texts', () => {
  const cases = Array.from({ length: 120 }, (_, nth) =>
    pair(`${nth}`, 'qags', nth % 2 === 0, nth % 2 === 0 ? 0.9 : 0.1),
  );

  test('of a set that is in no fit lift a tier', () => {
    const scores = scoresOf([...cases, pair('unjudged', 'qags', true, null)]);
    expect(scores.detector('hallucination')).toMatchObject({
      tier: 'production',
      measured: { samples: 120, f1: { value: 1 }, basis: 'never fitted', unit: 'text' },
    });
    expect(scores.mode('F15').tier).toBe('production');
    expect(scores.detector('grounding').measured).toBeNull();
  });

  test('that were fitted on do not', () => {
    const fitted = cases.map((one) => ({ ...one, set: 'begin' }));
    expect(scoresOf(fitted).detector('hallucination')).toMatchObject({
      tier: 'experimental',
      measured: { basis: 'in-sample' },
    });
  });

  test('an attack is scored by a model that has not seen its set, an ordinary text by one that has not seen its group', () => {
    const text = (id: string, is_injection: boolean, injection: number) =>
      madeCase(id, {
        set: 'bipia',
        kind: 'text',
        labels: { is_injection },
        prediction: { scores: { injection, hallucination: null, failed: null } },
      });
    const answers = noAnswers();
    answers.outOfFold.injection = new Map([
      ['attack', 0.9],
      ['plain', 0.1],
    ]);
    answers.setLeftOut.injection = new Map([['attack', 0.2]]);
    const { measured, further } = scoresOf([text('attack', true, 0.9), text('plain', false, 0.1)], answers).detector(
      'injection',
    );
    expect(measured).toMatchObject({ basis: 'set left out', recall: { value: 0 } });
    expect(further).toMatchObject([{ basis: 'out-of-fold', recall: { value: 1 } }]);
  });
});

describe('flag rates', () => {
  const run = (id: string, reward: number, severity: 'warning' | 'info') =>
    madeCase(id, { labels: { reward }, prediction: { detections: [madeDetection({ severity })] } });

  test('count warnings on healthy and on failing runs apart', () => {
    const { detector } = scoresOf([run('a', 1, 'warning'), run('b', 1, 'info'), run('c', 0, 'warning')]);
    expect(detector('loop')).toMatchObject({ healthy: { n: 2, fired: 1, value: 0.5 }, failing: { n: 1, fired: 1 } });
    expect(detector('grounding').healthy).toMatchObject({ fired: 0 });
  });

  test('every detector has its row, even without any record', () => {
    const { detectors, modes } = detectorScores([], noAnswers());
    expect(detectors.map(({ detector }) => detector)).toEqual([...DETECTION_TYPES]);
    expect(modes).toHaveLength(16);
    expect(detectors.every(({ measured, healthy }) => measured === null && healthy === null)).toBe(true);
  });
});
