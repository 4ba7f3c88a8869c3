import { expect, test } from 'vitest';
import { fitRange } from './fitted-scale.ts';

test.each([
  ['the first rows', { from: 100, to: 200 }, null, { from: 98, to: 202 }],
  ['rows that use the axis well', { from: 10, to: 80 }, { from: 0, to: 100 }, { from: 0, to: 100 }],
  ['rows that use little of it', { from: 10, to: 20 }, { from: 0, to: 100 }, { from: 9.8, to: 20.2 }],
  ['rows beyond it', { from: 50, to: 150 }, { from: 0, to: 100 }, { from: 48, to: 152 }],
  ['rows at the start of the trace', { from: 0, to: 50 }, null, { from: 0, to: 51 }],
  ['rows without times', null, { from: 0, to: 100 }, { from: 0, to: 100 }],
])('the time range for %s', (_name, rows, current, expected) => {
  const fitted = fitRange(rows, current);
  expect(fitted?.from).toBeCloseTo(expected.from);
  expect(fitted?.to).toBeCloseTo(expected.to);
});
