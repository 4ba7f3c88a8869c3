import { describe, expect, it } from 'vitest';
import { CommitQueue, nextSliceWeight } from './commit-queue.ts';

interface Item {
  name: string;
  weight: number;
}
const item = (name: string, weight = 1): Item => ({ name, weight });
const items = (...names: string[]) => names.map((name) => item(name));

/** Timers run only when a test runs them; a commit takes as long as the test says. */
function setUp(options: { maxSpans?: number } = {}) {
  const groups: string[][] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const pauses: number[] = [];
  const state = { ms: 1_000, commitMs: 0, failure: null as Error | null };
  const queue = new CommitQueue<Item>({
    async commit(slice) {
      state.ms += state.commitMs;
      if (state.failure) throw state.failure;
      groups.push(slice.map(({ name }) => name));
    },
    weigh: ({ weight }) => weight,
    spansOf: () => 1,
    waitMs: 10,
    maxSpans: options.maxSpans ?? 100,
    timer: {
      after(ms, run) {
        pauses.push(ms);
        timers.push({ ms, run });
      },
      now: () => state.ms,
    },
  });
  /** Runs timers, those that come of it too, until none is left. */
  const runTimers = async () => {
    for (;;) {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      const timer = timers.shift();
      if (timer === undefined) return;
      timer.run();
    }
  };
  return { queue, groups, timers, pauses, state, runTimers };
}

describe('commit queue', () => {
  it('joins items that arrive within the delay into one commit', async () => {
    const { queue, groups, timers, runTimers } = setUp();
    const waits = [queue.add(1, items('a', 'b')), queue.add(2, items('c'))];
    expect(timers).toHaveLength(1);
    await runTimers();
    await Promise.all(waits);
    expect(groups).toEqual([['a', 'b', 'c']]);
    expect(queue.depth).toBe(0);
  });

  it.each([
    ['at once', 'the first', null, 0],
    ['after the pause', 'what comes with the commit before', 0, 10],
    ['after the rest of the pause', 'what comes within it', 4, 6],
    ['at once', 'what comes when it is over', 10, 0],
    ['at once', 'what comes much later', 5_000, 0],
  ])('commits %s: %s', async (_when, _what, laterMs, pause) => {
    const { queue, pauses, state, runTimers } = setUp();
    if (laterMs !== null) {
      void queue.add(1, items('a'));
      await runTimers();
      state.ms += laterMs;
    }
    void queue.add(1, items('b'));
    expect(pauses.at(-1)).toBe(pause);
    await runTimers();
  });

  it('does not wait once a slice is full', async () => {
    const { queue, groups, timers } = setUp();
    await queue.add(1, [item('a', 200), item('b', 200)]);
    expect(groups).toEqual([['a', 'b']]);
    expect(timers).toEqual([]);
  });

  it('resolves only after all items are committed', async () => {
    const { queue, groups, timers, runTimers } = setUp();
    let isAnswered = false;
    const wait = queue.add(1, [item('a', 400), item('b', 400), item('c', 400)]).then(() => {
      isAnswered = true;
    });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect([groups, isAnswered]).toEqual([[['a']], false]);
    expect(timers.map(({ ms }) => ms)).toEqual([0]);
    await runTimers();
    await wait;
    expect(groups).toEqual([['a'], ['b'], ['c']]);
  });

  it('serves a quiet tenant after the current slice of a flood', async () => {
    const { queue, groups, runTimers } = setUp();
    const flood = queue.add(
      1,
      Array.from({ length: 20 }, (_, at) => item(`f${at}`, 64)),
    );
    const quiet = queue.add(2, items('q'));
    await runTimers();
    await Promise.all([flood, quiet]);
    expect(groups.findIndex((group) => group.includes('q'))).toBeLessThanOrEqual(1);
    expect(groups.flat().filter((name) => name !== 'q')).toEqual(Array.from({ length: 20 }, (_, at) => `f${at}`));
  });

  it('gives a tenant its share of what may wait', async () => {
    const { queue, runTimers } = setUp({ maxSpans: 4 });
    const flood = queue.add(1, items('a', 'b', 'c', 'd'));
    const refused = expect.objectContaining({ code: 'backpressure', retryAfterSeconds: 1 });
    expect(() => queue.assertCapacity(1)).toThrow(refused);
    expect(() => queue.assertCapacity(2)).not.toThrow();
    const quiet = queue.add(2, items('q'));
    expect(() => queue.assertCapacity(2)).not.toThrow();
    await runTimers();
    await Promise.all([flood, quiet]);
    expect(() => queue.assertCapacity(1)).not.toThrow();
  });

  it('estimates the wait by what commits took, for each tenant by what is ahead of it', async () => {
    const { queue, state, runTimers } = setUp();
    state.commitMs = 1_000;
    for (let round = 0; round < 30; round += 1) {
      void queue.add(1, [item('a', 100)]);
      await runTimers();
    }
    void queue.add(1, [item('b', 100)]);
    expect(queue.waitMs(1)).toBeGreaterThan(900);
    expect(queue.waitMs(2)).toBeLessThan(20);
    state.ms += 300;
    expect(queue.oldestMs()).toBe(300);
    await runTimers();
    expect([queue.oldestMs(), queue.waitMs(1)]).toEqual([0, 0]);
  });

  it('rejects every item of a failed slice, drops the rest of their bodies and continues', async () => {
    const { queue, groups, state, runTimers } = setUp();
    state.failure = new Error('disk full');
    const large = queue.add(1, [item('a', 256), item('b', 256)]);
    const failed = expect(large).rejects.toThrow('disk full');
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    state.failure = null;
    const next = queue.add(1, items('c'));
    await runTimers();
    await failed;
    await next;
    expect(groups).toEqual([['c']]);
    expect(queue.depth).toBe(0);
  });

  it('commits all that waits when it is flushed', async () => {
    const { queue, groups, runTimers } = setUp();
    const wait = queue.add(1, [item('a', 256), item('b', 256), item('c', 3)]);
    const flushed = queue.flush();
    await runTimers();
    await Promise.all([wait, flushed]);
    expect(groups.flat()).toEqual(['a', 'b', 'c']);
  });
});

describe('the size of the next slice', () => {
  it.each([
    ['stays where it took about as long as it should', 256, 256, 12, 256],
    ['grows after a full slice that was quick', 256, 256, 2, 384],
    ['stays after a small one that was quick', 256, 10, 1, 256],
    ['shrinks to what would have fitted', 1_000, 1_000, 60, 250],
    ['keeps a least size on a slow disk', 256, 256, 5_000, 128],
    ['keeps within a bound', 2_000, 2_000, 1, 2_048],
  ])('%s', (_name, current, weight, ms, next) => {
    expect(nextSliceWeight(current, weight, ms)).toBe(next);
  });
});
