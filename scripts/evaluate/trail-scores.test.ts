import { describe, expect, test } from 'vitest';
import { emptyAnswers } from './out-of-fold.ts';
import { syntheticCase } from './synthetic-case.ts';
import {
  categoryF1,
  jointAccuracy,
  locationAccuracy,
  pairF1,
  pairPrecision,
  type TrailRow,
  trailScores,
} from './trail-scores.ts';

const pairs = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((pair) => ({ span: pair[0]!, category: pair[1]! }));
const row = (gold: string, named: string): TrailRow => ({ group: gold, gold: pairs(gold), named: pairs(named) });

test.each<[string, TrailRow[], { joint: number; location: number; f1: number; precision: number; micro: number }]>([
  ['all right', [row('aX bY', 'aX bY')], { joint: 1, location: 1, f1: 1, precision: 1, micro: 1 }],
  ['the span right, the category wrong', [row('aX', 'aY')], { joint: 0, location: 1, f1: 0, precision: 0, micro: 0 }],
  [
    'every span with every category has full recall and low precision',
    [row('aX', 'aX aY bX bY cX cY')],
    { joint: 1, location: 1, f1: 1, precision: 1 / 6, micro: 2 / 7 },
  ],
  [
    'two traces, the mean of their recalls',
    [row('aX bX', 'aX'), row('aY', 'aY')],
    { joint: 0.75, location: 0.75, f1: 1, precision: 1, micro: 0.8 },
  ],
  [
    'a trace without errors counts for precision only',
    [row('aX', 'aX'), row('', 'aX')],
    { joint: 1, location: 1, f1: 2 / 3, precision: 0.5, micro: 2 / 3 },
  ],
])('%s', (_, rows, expected) => {
  expect(jointAccuracy(rows)).toBeCloseTo(expected.joint);
  expect(locationAccuracy(rows)).toBeCloseTo(expected.location);
  expect(categoryF1(rows)).toBeCloseTo(expected.f1);
  expect(pairPrecision(rows)).toBeCloseTo(expected.precision);
  expect(pairF1(rows)).toBeCloseTo(expected.micro);
});

describe('the section', () => {
  const traceOf = (id: string, subset: string) =>
    syntheticCase(id, {
      set: 'trail',
      meta: { subset },
      labels: {
        errors: [
          { span_id: 'a', category: 'X' },
          { span_id: 'a', category: 'X' },
        ],
      },
      prediction: { trail: [{ span_id: 'a', category: 'X' }] },
    });

  test('separates GAIA and SWE, counts a repeated pair once, and marks in-sample figures', () => {
    const { figures } = trailScores([traceOf('1', 'GAIA'), traceOf('2', 'SWE Bench')], emptyAnswers());
    expect(figures.filter(({ id }) => id.endsWith('.joint')).map(({ set, n }) => [set, n])).toEqual([
      ['trail GAIA', 1],
      ['trail SWE Bench', 1],
    ]);
    expect(figures.every(({ basis }) => basis === 'in-sample')).toBe(true);
    expect(figures.find(({ id }) => id === 'trail.gaia.pair_f1')!.value).toBe(1);
  });
});
