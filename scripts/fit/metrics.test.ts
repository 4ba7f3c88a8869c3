import { describe, expect, test } from 'vitest';
import {
  auroc,
  averagePrecision,
  balancedAccuracy,
  confusionAt,
  expectedCalibrationError,
  f1,
  groupBootstrap,
  type Judged,
  precision,
  recall,
  recallAtFpr,
  thresholdAtFpr,
  thresholdAtMeanFpr,
} from './metrics.ts';

const judged = (positives: number[], negatives: number[]): Judged[] => [
  ...positives.map((score) => ({ score, label: true })),
  ...negatives.map((score) => ({ score, label: false })),
];

test.each<[string, number[], number[], number]>([
  ['all above', [3, 4], [1, 2], 1],
  ['all below', [1, 2], [3, 4], 0],
  ['ties count half', [1, 1], [1, 1], 0.5],
  ['one pair of four in reverse order', [2, 4], [1, 3], 0.75],
  ['no negatives', [1], [], Number.NaN],
])('AUROC: %s', (_, positives, negatives, expected) => {
  expect(auroc(judged(positives, negatives))).toBe(expected);
});

test('average precision rewards early hits', () => {
  expect(averagePrecision(judged([4, 2], [3, 1]))).toBeCloseTo((1 + 2 / 3) / 2);
  expect(averagePrecision(judged([1], [1, 1, 1]))).toBeCloseTo(0.25);
});

test('counts at a threshold', () => {
  const counts = confusionAt(judged([0.9, 0.4], [0.5, 0.1, 0.2]), 0.5);
  expect(counts).toEqual({ truePositives: 1, falsePositives: 1, falseNegatives: 1, trueNegatives: 2 });
  expect(precision(counts)).toBe(0.5);
  expect(recall(counts)).toBe(0.5);
  expect(f1(counts)).toBe(0.5);
  expect(balancedAccuracy(counts)).toBeCloseTo((1 / 2 + 2 / 3) / 2);
});

describe('a threshold by false positives', () => {
  test.each([
    [[1, 2, 3, 4], 0.25, 1],
    [[1, 2, 3, 4], 0.24, 0],
    [[5, 5, 5, 5], 0.25, 0],
    [[0, 0, 0, 0], 0.5, 0],
    [[1, 2], 1, 2],
  ])('of %j at %d lets %i through', (negatives, rate, through) => {
    const threshold = thresholdAtFpr(negatives, rate);
    expect(negatives.filter((score) => score >= threshold)).toHaveLength(through);
  });

  test('gives sets equal weight', () => {
    const large = Array.from({ length: 100 }, (_, index) => index / 100);
    expect(thresholdAtMeanFpr([large, [0.5]], 0.04)).toBeCloseTo(0.91);
    expect(thresholdAtMeanFpr([large, [2]], 0.04)).toBeGreaterThan(2);
  });

  test('gives the recall at the threshold', () => {
    expect(recallAtFpr([0.9, 0.3], [0.1, 0.2, 0.8, 0.05], 0.25)).toBe(1);
    expect(recallAtFpr([0.9, 0.3], [0.1, 0.2, 0.8, 0.05], 0)).toBe(0.5);
  });
});

test('calibration error is the gap between confidence and hit rate', () => {
  expect(expectedCalibrationError(judged([0.75, 0.75, 0.75], [0.75]))).toBeCloseTo(0);
  expect(expectedCalibrationError(judged([], [0.9, 0.9]))).toBeCloseTo(0.9);
});

describe('the bootstrap', () => {
  const items = Array.from({ length: 40 }, (_, index) => ({ group: `g${index % 8}`, value: index % 8 < 4 ? 1 : 0 }));
  const mean = (some: readonly { value: number }[]) => some.reduce((sum, { value }) => sum + value, 0) / some.length;

  test('draws whole groups: its interval is that of eight groups, not of forty items', () => {
    const [low, high] = groupBootstrap(items, ({ group }) => group, mean);
    expect(high - low).toBeGreaterThan(0.5);
    const [itemLow, itemHigh] = groupBootstrap(items, (item) => String(items.indexOf(item)), mean);
    expect(itemHigh - itemLow).toBeLessThan(0.4);
  });

  test('is deterministic and does not depend on the order of the groups', () => {
    const first = groupBootstrap(items, ({ group }) => group, mean);
    expect(groupBootstrap([...items].reverse(), ({ group }) => group, mean)).toEqual(first);
    expect(groupBootstrap(items, ({ group }) => group, mean, { seed: 2, draws: 50 })).not.toEqual(first);
  });
});
