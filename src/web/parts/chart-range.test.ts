import { expect, it } from 'vitest';
import { firstShownStep, highestStep } from './chart-range.ts';

const DAYS = 30;
const lateDays = (...values: (number | null)[]) => [...Array<number>(DAYS - values.length).fill(0), ...values];

it.each([
  ['all days have values', [Array<number>(DAYS).fill(1)], 0],
  ['the last 12 days have values', [lateDays(...Array<number>(12).fill(2))], 18],
  ['the last two days have values', [lateDays(1, 3)], 23],
  ['one series begins earlier', [lateDays(1), lateDays(4, 0, 0, 0, 0, 0, 0, 0, 0)], 21],
  ['no day has a value', [lateDays(null)], 23],
  ['fewer days than are always shown', [[0, 1]], 0],
])('%s', (_name, series, first) => {
  expect(firstShownStep(series, series[0]!.length)).toBe(first);
});

it('the highest step has the largest sum of all series', () => {
  expect(
    highestStep(
      [
        [1, 2, null],
        [0, 3, 4],
      ],
      3,
    ),
  ).toEqual({ index: 1, sum: 5 });
  expect(highestStep([[0, null]], 2)).toBeNull();
});
