import { describe, expect, it } from 'vitest';
import { speedErrorOf } from './body-speed.ts';

const limits = { idleMs: 10_000, graceMs: 30_000, minBytesPerSecond: 1_000 };

describe('speedErrorOf', () => {
  it.each<[string, { idleMs: number; ms: number; bytes: number }, RegExp | null]>([
    ['a body that has just begun', { idleMs: 0, ms: 0, bytes: 0 }, null],
    ['one that pauses', { idleMs: 9_999, ms: 9_999, bytes: 0 }, null],
    ['a body without progress', { idleMs: 10_000, ms: 10_000, bytes: 50_000 }, /No byte .* 10 s/],
    ['a slow body within the grace period', { idleMs: 0, ms: 29_000, bytes: 10 }, null],
    ['a slow body after the grace period', { idleMs: 0, ms: 40_000, bytes: 9_999 }, /slower than 1000 bytes/],
    ['a body that is just fast enough', { idleMs: 0, ms: 40_000, bytes: 10_000 }, null],
  ])('%s', (_name, arrival, problem) => {
    const found = speedErrorOf(arrival, limits);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });
});
