import { expect, it } from 'vitest';
import { firstShownStep, highestSteps, highestText } from './chart-range.ts';

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

it('the highest steps have the largest sum of all series', () => {
  expect(
    highestSteps(
      [
        [1, 2, null],
        [0, 3, 4],
      ],
      3,
    ),
  ).toEqual({ indexes: [1], sum: 5 });
  expect(
    highestSteps(
      [
        [2, 1],
        [0, 1],
      ],
      2,
    ),
  ).toEqual({ indexes: [0, 1], sum: 2 });
  expect(highestSteps([[0, null]], 2)).toBeNull();
});

it.each([
  [[1], '2 on day 1'],
  [[1, 4], '2 on day 1 and day 4'],
  [[1, 4, 5], '2 on 3 days'],
])('the highest value at %j: %s', (indexes, text) => {
  expect(highestText({ indexes, sum: 2 }, String, (index) => `day ${index}`)).toBe(text);
});
