import { expect, it } from 'vitest';
import { runAllInTime, type TimeLimit } from './time-limit.ts';

/** What a watch ends, where a real one leaves nothing to catch. */
const ENDED = Symbol('ended');

/** A clock that stands still but for the work that is done. */
function countedLimit(traceMs: number, detectorMs: number) {
  let ms = 0;
  let endsAt = Number.POSITIVE_INFINITY;
  let watches = 0;
  const limit: TimeLimit = {
    now: () => ms,
    traceMs,
    detectorMs,
    within(allowedMs, run) {
      watches += 1;
      endsAt = ms + allowedMs;
      try {
        run();
        return true;
      } catch (error) {
        if (error !== ENDED) throw error;
        return false;
      } finally {
        endsAt = Number.POSITIVE_INFINITY;
      }
    },
  };
  const work = (durationMs: number) => {
    ms = Math.min(ms + durationMs, endsAt);
    if (ms === endsAt) throw ENDED;
  };
  return { limit, work, watches: () => watches };
}

const FOR_EVER = Number.POSITIVE_INFINITY;

it.each([
  ['one watch for all where they are quick', [1, 2, 3], [1, 2, 3], [], 1],
  ['one that loops for ever', [1, FOR_EVER, 3], [1, 3], [[1, 10]], 3],
  ['the last of them', [1, FOR_EVER], [1], [[1, 10]], 2],
  ['the only one', [FOR_EVER], [], [[0, 10]], 2],
  [
    'two of them',
    [FOR_EVER, 1, FOR_EVER, 2],
    [1, 2],
    [
      [0, 10],
      [2, 10],
    ],
    5,
  ],
  ['none, though all together take longer than one may', [6, 6, 6, 6], [6, 6, 6, 6], [], 4],
  [
    'those left when the time of all is up',
    [FOR_EVER, FOR_EVER, FOR_EVER, 1, 1],
    [],
    [
      [0, 10],
      [1, 10],
      [2, 10],
      [3, null],
      [4, null],
    ],
    6,
  ],
  ['nobody of none', [], [], [], 0],
])('cuts off %s', (_name, durations, results, overruns, watches) => {
  const counted = countedLimit(50, 10);
  const items = durations.map((durationMs, index) => ({ index, durationMs }));
  const asked = runAllInTime(
    items,
    ({ durationMs }) => {
      counted.work(durationMs);
      return durationMs;
    },
    counted.limit,
  );
  expect(asked.results).toEqual(results);
  expect(asked.overruns.map(({ item, ms }) => [item.index, ms])).toEqual(overruns);
  expect(counted.watches()).toBe(watches);
});

it('starts no further one when the time of all is up', () => {
  const { limit, work } = countedLimit(5, 10);
  const ask = (durationMs: number) => {
    work(durationMs);
    return durationMs;
  };
  expect(runAllInTime([4, 4, 4], ask, limit)).toEqual({ results: [4, 4], overruns: [{ item: 4, ms: null }] });
});

it('asks all where nothing is limited, and lets through what one throws', () => {
  expect(runAllInTime([1, 2], (item) => item * 2, undefined)).toEqual({ results: [2, 4], overruns: [] });
  const broken = () => {
    throw new Error('broken');
  };
  expect(() => runAllInTime([1], broken, countedLimit(5, 5).limit)).toThrow('broken');
});
