import { expect, test } from 'vitest';
import { type Measurement, measure } from './measurement.ts';
import { tierOf } from './tier.ts';

const measured = (hits: number, alarms: number, misses: number, quiet: number): Measurement =>
  measure([
    ...Array.from({ length: hits }, () => ({ predicted: true, real: true })),
    ...Array.from({ length: alarms }, () => ({ predicted: true, real: false })),
    ...Array.from({ length: misses }, () => ({ predicted: false, real: true })),
    ...Array.from({ length: quiet }, () => ({ predicted: false, real: false })),
  ]);

test.each([
  ['production', 'F1 and precision .80 on 100', measured(40, 10, 10, 40), true],
  ['beta', 'one sample fewer', measured(40, 10, 10, 39), true],
  ['beta', 'precision below .80', measured(50, 13, 5, 40), true],
  ['beta', 'F1 .60 on 50', measured(15, 10, 10, 15), true],
  ['experimental', 'one sample fewer', measured(15, 10, 10, 14), true],
  ['experimental', 'F1 below .60', measured(14, 10, 10, 16), true],
  ['experimental', 'one class only', measured(100, 0, 0, 0), true],
  ['experimental', 'data that were seen before', measured(50, 0, 0, 50), false],
  ['experimental', 'no data', null, true],
])('%s: %s', (tier, _, measurement, isHeldOut) => {
  expect(tierOf(measurement, isHeldOut)).toBe(tier);
});
