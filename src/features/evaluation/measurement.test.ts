import { describe, expect, test } from 'vitest';
import { type Claim, measure } from './measurement.ts';

const claims = (hits: number, alarms: number, misses: number, quiet: number): Claim[] => [
  ...Array.from({ length: hits }, () => ({ predicted: true, real: true })),
  ...Array.from({ length: alarms }, () => ({ predicted: true, real: false })),
  ...Array.from({ length: misses }, () => ({ predicted: false, real: true })),
  ...Array.from({ length: quiet }, () => ({ predicted: false, real: false })),
];

describe('a measurement', () => {
  test('counts and divides', () => {
    expect(measure(claims(6, 2, 4, 8))).toMatchObject({
      samples: 20,
      positives: 10,
      truePositives: 6,
      falsePositives: 2,
      falseNegatives: 4,
      trueNegatives: 8,
      precision: { value: 0.75, interval: [0.4093, 0.9285] },
      recall: { value: 0.6, interval: [0.3127, 0.8318] },
      f1: { value: 0.6667 },
    });
  });

  test('the interval of F1 contains F1 and narrows with more items', () => {
    const [few, many] = [measure(claims(6, 2, 4, 8)).f1!, measure(claims(600, 200, 400, 800)).f1!];
    for (const { value, interval } of [few, many]) {
      expect(interval[0]).toBeLessThan(value);
      expect(interval[1]).toBeGreaterThan(value);
    }
    expect(many.interval[1] - many.interval[0]).toBeLessThan((few.interval[1] - few.interval[0]) / 5);
  });

  test.each([
    ['nothing said', claims(0, 0, 3, 3), { precision: null, recall: { value: 0 }, f1: { value: 0 } }],
    ['nothing there', claims(0, 2, 0, 3), { precision: { value: 0 }, recall: null, f1: null }],
    ['nothing at all', [], { samples: 0, precision: null, recall: null, f1: null }],
  ])('%s: null where there is nothing to divide by', (_, some, expected) => {
    expect(measure(some)).toMatchObject(expected);
  });
});
