import { describe, expect, test } from 'vitest';
import { boostedProbability, boostedScore } from '../../src/detectors/_models/boosted-trees.ts';
import { fitBoosting } from './gradient-boosting.ts';
import { auroc } from './metrics.ts';
import { seededRandom } from './seeded-random.ts';

const random = seededRandom(3);
/** Exclusive or of two features, which no linear model can represent; the third feature is noise. */
const either = Array.from({ length: 1200 }, () => {
  const values = [random(), random(), random()];
  return { values, label: values[0]! > 0.5 !== values[1]! > 0.5 ? 1 : 0 };
});
const [train, held] = [either.slice(0, 800), either.slice(800)];
const options = { trees: 40, maxLeaves: 6, rowShare: 0.8, featureShare: 0.9, seed: 5 };

describe('with the logistic objective', () => {
  const model = fitBoosting(['a', 'b', 'c'], train, options);

  test('learns an exclusive or, measured on held-out rows', () => {
    const area = auroc(
      held.map(({ values, label }) => ({ score: boostedProbability(model, values), label: label === 1 })),
    );
    expect(area).toBeGreaterThan(0.97);
  });

  test('learns nothing from random labels', () => {
    const randomLabels = train.map(({ values }) => ({ values, label: random() < 0.5 ? 1 : 0 }));
    const model = fitBoosting(['a', 'b', 'c'], randomLabels, options);
    const area = auroc(held.map(({ values, label }) => ({ score: boostedScore(model, values), label: label === 1 })));
    expect(Math.abs(area - 0.5)).toBeLessThan(0.1);
  });

  test('gives the same bytes for the same seed and different bytes for another', () => {
    expect(JSON.stringify(fitBoosting(['a', 'b', 'c'], train, options))).toBe(JSON.stringify(model));
    expect(JSON.stringify(fitBoosting(['a', 'b', 'c'], train, { ...options, seed: 6 }))).not.toBe(
      JSON.stringify(model),
    );
  });

  test('is the same after a round trip through JSON', () => {
    const read = JSON.parse(JSON.stringify(model)) as typeof model;
    expect(held.map(({ values }) => boostedScore(read, values))).toEqual(
      held.map(({ values }) => boostedScore(model, values)),
    );
  });
});

test('a missing value can be informative', () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({
    values: [index % 2 === 0 ? Number.NaN : index],
    label: (index + 1) % 2,
  }));
  const model = fitBoosting(['a'], rows, { trees: 20 });
  expect(boostedProbability(model, [Number.NaN])).toBeGreaterThan(0.8);
  expect(boostedProbability(model, [-1e6])).toBeLessThan(0.2);
});

test('rows of one value give the base rate', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ values: [1], label: index < 10 ? 1 : 0 }));
  expect(boostedProbability(fitBoosting(['a'], rows), [1])).toBeCloseTo(0.25);
});

test('the listwise objective finds the positive row of a list, regardless of an offset per list', () => {
  const lists = Array.from({ length: 150 }, (_, list) => {
    const offset = random() * 100;
    const shifted = Math.floor(random() * 5);
    return Array.from({ length: 5 }, (_, row) => ({
      values: [offset, row === shifted ? 1 + random() : random()],
      label: row === shifted ? 1 : 0,
      list: `list ${list}`,
    }));
  });
  const model = fitBoosting(['offset', 'own'], lists.slice(0, 100).flat(), { objective: 'listwise', trees: 30 });
  const right = lists.slice(100).filter((rows) => {
    const scores = rows.map(({ values }) => boostedScore(model, values));
    return rows[scores.indexOf(Math.max(...scores))]!.label === 1;
  });
  expect(right.length).toBeGreaterThan(45);
});
