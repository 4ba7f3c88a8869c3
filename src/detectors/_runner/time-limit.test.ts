import { expect, it } from 'vitest';
import { runAllInTime, type TimeLimit } from './time-limit.ts';

/** Thrown to simulate termination. A real timer throws nothing. */
const ENDED = Symbol('ended');

/** A clock that advances only with the work that is done. */
function countedLimit(traceMs: number, detectorMs: number) {
  let ms = 0;
  let endsAt = Number.POSITIVE_INFINITY;
  let timers = 0;
  const limit: TimeLimit = {
    now: () => ms,
    traceMs,
    detectorMs,
    within(allowedMs, run) {
      timers += 1;
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
  return { limit, work, timers: () => timers };
}

const NEVER_ENDS = Number.POSITIVE_INFINITY;

it.each([
  ['nothing and sets one timer if all are fast', [1, 2, 3], [1, 2, 3], [], 1],
  ['an item that never ends', [1, NEVER_ENDS, 3], [1, 3], [[1, 10]], 3],
  ['the last item', [1, NEVER_ENDS], [1], [[1, 10]], 2],
  ['the only item', [NEVER_ENDS], [], [[0, 10]], 2],
  [
    'two items',
    [NEVER_ENDS, 1, NEVER_ENDS, 2],
    [1, 2],
    [
      [0, 10],
      [2, 10],
    ],
    5,
  ],
  ['nothing if only the sum exceeds the limit of one item', [6, 6, 6, 6], [6, 6, 6, 6], [], 4],
  [
    'the remaining items when the total time is used up',
    [NEVER_ENDS, NEVER_ENDS, NEVER_ENDS, 1, 1],
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
  ['nothing in an empty list', [], [], [], 0],
])('terminates %s', (_name, durations, results, overruns, timers) => {
  const counted = countedLimit(50, 10);
  const items = durations.map((durationMs, index) => ({ index, durationMs }));
  const outcome = runAllInTime(
    items,
    ({ durationMs }) => {
      counted.work(durationMs);
      return durationMs;
    },
    counted.limit,
  );
  expect(outcome.results).toEqual(results);
  expect(outcome.overruns.map(({ item, ms }) => [item.index, ms])).toEqual(overruns);
  expect(counted.timers()).toBe(timers);
});

it('starts no further item when the total time is used up', () => {
  const { limit, work } = countedLimit(5, 10);
  const runItem = (durationMs: number) => {
    work(durationMs);
    return durationMs;
  };
  expect(runAllInTime([4, 4, 4], runItem, limit)).toEqual({ results: [4, 4], overruns: [{ item: 4, ms: null }] });
});

it('runs all items without a limit, and rethrows errors', () => {
  expect(runAllInTime([1, 2], (item) => item * 2, undefined)).toEqual({ results: [2, 4], overruns: [] });
  const broken = () => {
    throw new Error('broken');
  };
  expect(() => runAllInTime([1], broken, countedLimit(5, 5).limit)).toThrow('broken');
});
