import { describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import type { TrailItem, TrailPair } from './trail-items.ts';
import { scoreTrail } from './trail-score.ts';

function item(id: string, ...pairs: [spanId: string, category: string][]): TrailItem {
  const gold = pairs.map(([spanId, category]) => ({ spanId, category }));
  return { id, group: id, subset: 'GAIA', gold } as unknown as TrailItem;
}

const ITEMS = [item('one', ['a', 'X'], ['a', 'Y'], ['b', 'X']), item('two', ['c', 'Y']), item('none')];

interface Row {
  name: string;
  detections: Record<string, TrailPair[]>;
  expected: { joint: number; location: number; categoryF1: number; pairPrecision: number; perTrace: number };
}

const ROWS: Row[] = [
  {
    name: 'nothing named',
    detections: {},
    expected: { joint: 0, location: 0, categoryF1: 0, pairPrecision: 0, perTrace: 0 },
  },
  {
    name: 'all pairs found, no detection on a clean trace',
    detections: { one: ITEMS[0]!.gold, two: ITEMS[1]!.gold },
    expected: { joint: 1, location: 1, categoryF1: 1, pairPrecision: 1, perTrace: 4 / 3 },
  },
  {
    name: 'right span, wrong category; the same pair twice counts once',
    detections: {
      one: [
        { spanId: 'b', category: 'Y' },
        { spanId: 'b', category: 'Y' },
      ],
      two: [{ spanId: 'c', category: 'Y' }],
    },
    expected: { joint: 0.5, location: 0.75, categoryF1: 2 / 3, pairPrecision: 0.5, perTrace: 2 / 3 },
  },
];

describe('scoreTrail', () => {
  test.each(ROWS)('$name', ({ detections, expected }) => {
    expectScore(detections, expected);
  });

  test('a row with a wrong figure fails', () => {
    expect(() => expectScore(ROWS[1]!.detections, { ...ROWS[1]!.expected, joint: 0.9 })).toThrow();
  });
});

function expectScore(detections: Row['detections'], expected: Row['expected']): void {
  const score = scoreTrail(ITEMS, new Map(Object.entries(detections)), seededRandom(1));
  for (const [name, value] of Object.entries(expected)) expect(score[name as keyof Row['expected']]).toBeCloseTo(value);
}
