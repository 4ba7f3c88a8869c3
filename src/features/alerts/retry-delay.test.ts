import { describe, expect, it } from 'vitest';
import { MAX_AGE_MS, MAX_ATTEMPTS, retryDelayMs } from './retry-delay.ts';

const pause = (attempts: number, overrides: { ageMs?: number; retryAfterMs?: number | null; chance?: number } = {}) =>
  retryDelayMs(
    { attempts, ageMs: overrides.ageMs ?? 0, retryAfterMs: overrides.retryAfterMs ?? null },
    overrides.chance ?? 0.5,
  );

describe('the pause after a failed try', () => {
  it('grows', () => {
    const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, place) => pause(place + 1) as number);
    expect(pauses[0]).toBe(5_000);
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    expect(pauses.reduce((sum, each) => sum + each, 0)).toBeLessThan(MAX_AGE_MS);
  });

  it.each([
    ['is 30 seconds after the second', pause(2), 30_000],
    ['is ten minutes after the fourth', pause(4), 600_000],
    ['is half an hour after the fifth', pause(5), 1_800_000],
    ['is an hour after the sixth', pause(6), 3_600_000],
    ['is two hours after the seventh', pause(7), 7_200_000],
    ['is four hours after the eighth', pause(8), 14_400_000],
    ['is eight hours after the ninth', pause(9), 28_800_000],
    ['may end when the alert is a day old', pause(1, { ageMs: 86_395_000 }), 5_000],
    ['ends when it would end later than that', pause(1, { ageMs: 86_395_001 }), null],
    ['ends after the last try', pause(MAX_ATTEMPTS), null],
    ['ends when the alert would be too old', pause(1, { ageMs: MAX_AGE_MS }), null],
    ['is as long as the receiver asks', pause(1, { retryAfterMs: 90_000 }), 90_000],
    ['is not shorter because the receiver asks for less', pause(3, { retryAfterMs: 1_000 }), 120_000],
    ['ends where the receiver asks for too much', pause(1, { retryAfterMs: MAX_AGE_MS + 1 }), null],
    ['is spread downwards', pause(1, { chance: 0 }), 4_000],
    ['is spread upwards', pause(1, { chance: 1 }), 6_000],
  ])('%s', (_name, actual, expected) => {
    expect(actual).toBe(expected);
  });
});
