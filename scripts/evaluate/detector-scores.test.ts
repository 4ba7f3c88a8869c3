import { describe, expect, test } from 'vitest';
import { DETECTION_TYPES } from '../../src/core/detection.ts';
import type { Case } from './cases.ts';
import { detectorScores } from './detector-scores.ts';
import { syntheticCase, syntheticDetection } from './synthetic-case.ts';

const scoresOf = (cases: readonly Case[]) => {
  const { detectors, modes } = detectorScores(cases);
  return {
    detector: (name: string) => detectors.find(({ detector }) => detector === name)!,
    mode: (name: string) => modes.find(({ mode }) => mode === name)!,
  };
};

const mast = (
  id: string,
  real: string[],
  entry: Parameters<typeof syntheticDetection>[0][],
  judged = ['FM-1.3', 'FM-3.2'],
) =>
  syntheticCase(id, {
    set: 'masft_human',
    labels: { failure_modes: real, annotated_modes: judged },
    prediction: { detections: entry.map(syntheticDetection) },
  });

const pair = (id: string, set: string, is_hallucination: boolean, hallucination: number | null) =>
  syntheticCase(id, {
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

  test('observations do not count as reported, and only annotated runs count', () => {
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

  test('a detection that names another mode does not count', () => {
    const other = [mast('a', ['FM-1.3'], [{ type: 'loop', failure_modes: ['FM-1.5'] }])];
    expect(scoresOf(other).detector('loop').measured).toMatchObject({ truePositives: 0, falseNegatives: 1 });
  });

  test('rules written with the data at hand stay experimental, regardless of their figures', () => {
    const many = Array.from({ length: 200 }, (_, nth) =>
      mast(`${nth}`, nth % 2 ? ['FM-1.3'] : [], nth % 2 ? [{ type: 'loop', failure_modes: ['FM-1.3'] }] : []),
    );
    expect(scoresOf(many).detector('loop')).toMatchObject({ tier: 'experimental', measured: { f1: { value: 1 } } });
  });
});

test('categories of TRAIL count by run', () => {
  const trail = (id: string, category: string, type: 'loop' | 'completion') =>
    syntheticCase(id, {
      set: 'trail',
      labels: { errors: [{ span_id: 'x', category }] },
      prediction: { detections: [syntheticDetection({ type })] },
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

test('a detection on a run without its category is no false alarm if annotators also used other categories', () => {
  const cases = [
    syntheticCase('a', {
      set: 'trail',
      labels: { errors: [{ span_id: 'x', category: 'Timeout Issues' }] },
      prediction: { detections: [syntheticDetection({ type: 'tool_failure' })] },
    }),
  ];
  expect(scoresOf(cases).detector('tool_failure').measured).toMatchObject({
    recall: { value: 1 },
    precision: null,
    f1: null,
  });
});

test('scores of single texts do not count as figures of a detector', () => {
  const cases = Array.from({ length: 120 }, (_, nth) =>
    pair(`${nth}`, 'qags', nth % 2 === 0, nth % 2 === 0 ? 0.9 : 0.1),
  );
  expect(scoresOf(cases).detector('hallucination')).toMatchObject({ tier: 'experimental', measured: null });
  expect(scoresOf(cases).mode('F15').measured).toBeNull();
});

test('every detector has a row, even without a record', () => {
  const { detectors, modes } = detectorScores([]);
  expect(detectors.map(({ detector }) => detector)).toEqual([...DETECTION_TYPES]);
  expect(modes).toHaveLength(16);
  expect(detectors.every(({ measured, healthy }) => measured === null && healthy === null)).toBe(true);
});
