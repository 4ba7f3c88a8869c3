import { expect, test } from 'vitest';
import {
  type BoostedTrees,
  boostedProbability,
  boostedScore,
  boostedScores,
  changedScore,
  leafValues,
  packBoostedTrees,
} from './boosted-trees.ts';

/** `a <= 2` → 1; else `b <= 5` → 10, else 100. Then a tree of one leaf. */
const model: BoostedTrees = {
  features: ['a', 'b'],
  base: 0.5,
  trees: [
    { feature: [0, 1], threshold: [2, 5], left: [-1, -2], right: [1, -3], leaf: [1, 10, 100] },
    { feature: [], threshold: [], left: [], right: [], leaf: [0.25] },
  ],
};

test.each([
  [[2, 9], 1.75],
  [[2.1, 5], 10.75],
  [[3, 5.1], 100.75],
  [[Number.NaN, 9], 1.75],
  [[3, Number.NaN], 10.75],
])('%j', (values, expected) => {
  expect(boostedScore(model, values)).toBe(expected);
});

test.each([
  [[2, 9], [3, 9], [0]],
  [[3, 9], [3, 4], [1]],
  [
    [3, 9],
    [1, 4],
    [0, 1],
  ],
  [[3, 9], [3, 9], [7]],
])('from %j to %j', (before, after, changed) => {
  const leaves = leafValues(model, before);
  expect(changedScore(model, leaves, after, changed)).toBe(boostedScore(model, after));
  expect(leaves).toEqual(leafValues(model, before));
});

test('many rows have the same scores as single rows', () => {
  const rows = Array.from({ length: 70 }, (_, nth) => [nth % 5, nth % 7]);
  expect([...boostedScores(model, rows)]).toEqual(rows.map((row) => boostedScore(model, row)));
  expect(boostedScores(model, [])).toHaveLength(0);
});

test('packing does not change the scores', () => {
  const packed = JSON.parse(JSON.stringify(packBoostedTrees(model))) as BoostedTrees;
  expect(boostedScore(packed, [3, 9])).toBe(100.75);
  expect(boostedProbability(packed, [3, 9])).toBeCloseTo(1);
  expect(packBoostedTrees({ ...model, base: 1 / 3 }).base).toBe(0.33333);
});
