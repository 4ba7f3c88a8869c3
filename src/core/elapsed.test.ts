import { expect, it } from 'vitest';
import { isPaused, isWithin } from './elapsed.ts';

it.each([
  ['just now', 1_000, 1_000, true],
  ['a moment ago', 1_000, 1_999, true],
  ['exactly the limit ago', 1_000, 2_000, false],
  ['before the clock stepped backwards', 1_000, 999, false],
  ['never', -Infinity, 0, false],
])('%s', (_name, since, now, expected) => {
  expect(isWithin(since, now, 1_000)).toBe(expected);
});

it.each([
  ['an active pause', 1_500, 1_000, true],
  ['the longest pause, just started', 2_000, 1_000, true],
  ['a pause that is over', 1_000, 1_000, false],
  ['a pause that was set before the clock stepped backwards', 3_000, 1_000, false],
])('%s', (_name, until, now, expected) => {
  expect(isPaused(until, now, 1_000)).toBe(expected);
});
