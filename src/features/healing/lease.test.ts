import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isLapsed, isProcessAlive, type LeaseHolder } from './lease.ts';

const ME: LeaseHolder = { host: 'here', pid: 10, start: 'b' };

describe('a lease', () => {
  it.each<[string, LeaseHolder | null, number, boolean]>([
    ['of mine holds', ME, 999, false],
    ['of mine ends', ME, 1_000, true],
    ['of a process that lives holds', { host: 'here', pid: 20, start: 'a' }, 999, false],
    ['of a process that lives ends', { host: 'here', pid: 20, start: 'a' }, 1_000, true],
    ['of a process that is gone has lapsed', { host: 'here', pid: 30, start: 'a' }, 0, true],
    ['of one that had my number before has lapsed', { host: 'here', pid: 10, start: 'a' }, 0, true],
    ['of another machine holds', { host: 'there', pid: 30, start: 'a' }, 999, false],
    ['of no known process holds', null, 999, false],
  ])('%s', (_title, holder, now, expected) => {
    expect(isLapsed({ holder, until: 1_000 }, now, ME, (pid) => pid !== 30)).toBe(expected);
  });
});

describe('a process', () => {
  it('that runs is alive, one that ended is not', () => {
    expect(isProcessAlive(process.pid)).toBe(true);
    expect(isProcessAlive(spawnSync('true').pid)).toBe(false);
  });
});
