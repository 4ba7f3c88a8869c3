import { describe, expect, test } from 'vitest';
import { probabilityOf, scoreAt } from '../../src/detectors/_models/calibration-curve.ts';
import { isotonicCurve, plattScaling } from './isotonic.ts';
import { expectedCalibrationError } from './metrics.ts';
import { seededRandom } from './seeded-random.ts';

const random = seededRandom(11);
const drawn = Array.from({ length: 3000 }, () => {
  const score = random();
  return { score, label: random() < score * score ? 1 : 0 };
});
const judgedBy = (probability: (score: number) => number) =>
  drawn.map(({ score, label }) => ({ score: probability(score), label: label === 1 }));

describe('an isotonic curve', () => {
  const curve = isotonicCurve(drawn);

  test('rises and stays a probability', () => {
    const rises = curve.every(
      ([score, p], index) => index === 0 || (score > curve[index - 1]![0] && p >= curve[index - 1]![1]),
    );
    expect(rises).toBe(true);
    expect(curve.every(([, p]) => p > 0 && p < 1)).toBe(true);
  });

  test('calibrates uncalibrated scores', () => {
    expect(expectedCalibrationError(judgedBy((score) => score))).toBeGreaterThan(0.1);
    expect(expectedCalibrationError(judgedBy((score) => probabilityOf(curve, score)))).toBeLessThan(0.03);
  });

  test.each<[string, [number, number][], number, number]>([
    [
      'a few hits stay near the base rate',
      [
        [0.2, 0],
        [0.8, 1],
      ],
      0.8,
      0.75,
    ],
    [
      'a decreasing pair is pooled',
      [
        [0.2, 1],
        [0.8, 0],
      ],
      0.5,
      0.5,
    ],
  ])('%s', (_, samples, score, expected) => {
    const few = isotonicCurve(samples.map(([at, label]) => ({ score: at, label })));
    expect(probabilityOf(few, score)).toBeCloseTo(expected, 5);
  });
});

describe('reading a curve', () => {
  const curve = [
    [0.2, 0.1],
    [0.4, 0.5],
    [0.8, 0.9],
  ] as const;

  test.each([
    [0, 0.1],
    [0.3, 0.3],
    [0.6, 0.7],
    [2, 0.9],
    [Number.NaN, 0.1],
  ])('at %d', (score, expected) => {
    expect(probabilityOf(curve, score)).toBeCloseTo(expected);
  });

  test.each([
    [0.05, 0.2],
    [0.3, 0.3],
    [0.95, null],
  ])('inverse at %d', (probability, expected) => {
    const score = scoreAt(curve, probability);
    if (expected === null) expect(score).toBeNull();
    else expect(score).toBeCloseTo(expected);
  });
});

test('Platt scaling finds slope and offset', () => {
  const samples = Array.from({ length: 5000 }, () => {
    const score = random() * 6 - 3;
    return { score, label: random() < 1 / (1 + Math.exp(-(1.5 * score + 0.5))) ? 1 : 0 };
  });
  const { slope, offset } = plattScaling(samples);
  expect(slope).toBeCloseTo(1.5, 0);
  expect(offset).toBeCloseTo(0.5, 0);
});

const SPREAD_MISSES = [
  0.01, 0.79, 0.49, 0.52, 0.44, 0.49, 0.47, 0.79, 0.62, 0.48, 0.34, 0.78, 0.53, 0.56, 0.61, 0.56, 0.62, 0.69, 0.28,
  0.55, 0.68, 0.9, 0.36, 0.47, 0.02, 0.9, 0.66, 0.49,
];

test.each<[string, number[], number[]]>([
  ['far apart', [900, 1000, 1100], [-900, -1000, -1100]],
  ['on a narrow strip', [0.5003, 0.5004], [0.5001, 0.5002]],
  ['one hit beyond many misses', [1.89], SPREAD_MISSES],
])('Platt scaling converges for separable classes: %s', (_, hits, misses) => {
  const samples = [...hits.map((score) => ({ score, label: 1 })), ...misses.map((score) => ({ score, label: 0 }))];
  const { slope, offset } = plattScaling(samples);
  const chance = (score: number) => 1 / (1 + Math.exp(-(slope * score + offset)));
  const mean = (scores: number[]) => scores.reduce((sum, score) => sum + chance(score), 0) / scores.length;
  expect(slope).toBeGreaterThan(0);
  expect(mean(hits)).toBeGreaterThan(0.5);
  expect(mean(misses)).toBeLessThan(0.3);
});
