import { describe, expect, it } from 'vitest';
import { stepOf } from './trace-histogram.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

describe('the step of a histogram', () => {
  it.each([
    ['a moment', 0, 0, 60, SECOND],
    ['an hour', 0, HOUR - 1, 60, 60 * SECOND],
    ['an hour that is not aligned', 1, HOUR, 60, 5 * 60 * SECOND],
    ['a day in few', 0, DAY - 1, 24, HOUR],
    ['thirty days', 0, 30 * DAY - 1, 30, DAY],
    ['a clock that was wrong by fifty years', 0, 50 * 365 * DAY, 60, 448 * DAY],
    ['one bucket', 0, 3 * DAY, 1, 7 * DAY],
  ])('%s', (_name, from, to, most, step) => {
    expect(stepOf(from, to, most)).toBe(step);
  });

  it('never returns more buckets than requested', () => {
    for (const to of [0, 1e3, 1e6, 1e9, 1e12, 4e12, 8e15]) {
      for (const most of [1, 2, 60, 400]) {
        const step = stepOf(123, 123 + to, most);
        expect(Math.floor((123 + to) / step) - Math.floor(123 / step) + 1).toBeLessThanOrEqual(most);
      }
    }
  });
});
