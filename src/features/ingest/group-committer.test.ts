import { describe, expect, it } from 'vitest';
import { createGroupCommitter } from './group-committer.ts';

function setUp(options: { maxWeight?: number; groupWeight?: number } = {}) {
  const groups: string[][] = [];
  const timers: (() => void)[] = [];
  const pauses: number[] = [];
  const time = { ms: 1_000 };
  let failure: Error | null = null;
  const committer = createGroupCommitter<string>({
    async commit(items) {
      if (failure) throw failure;
      groups.push(items);
    },
    weigh: () => 1,
    groupWeight: options.groupWeight ?? 100,
    waitMs: 10,
    maxWeight: options.maxWeight ?? 100,
    timer: {
      after(ms, run) {
        pauses.push(ms);
        timers.push(run);
      },
      now: () => time.ms,
    },
  });
  return {
    committer,
    groups,
    timers,
    pauses,
    time,
    failWith: (error: Error) => {
      failure = error;
    },
  };
}

describe('group committer', () => {
  it('joins what comes within the wait into one commit', async () => {
    const { committer, groups, timers } = setUp();
    const waits = [committer.add(['a', 'b']), committer.add(['c'])];
    expect(timers).toHaveLength(1);
    timers[0]?.();
    await Promise.all(waits);
    expect(groups).toEqual([['a', 'b', 'c']]);
    expect(committer.depth()).toBe(0);
  });

  it.each([
    ['at once', 'the first', null, 0],
    ['after the pause', 'what comes with the commit before', 0, 10],
    ['after the rest of the pause', 'what comes within it', 4, 6],
    ['at once', 'what comes when it is over', 10, 0],
    ['at once', 'what comes much later', 5_000, 0],
  ])('commits %s: %s', async (_when, _what, laterMs, pause) => {
    const { committer, timers, pauses, time } = setUp();
    if (laterMs !== null) {
      const before = committer.add(['a']);
      timers.shift()?.();
      await before;
      time.ms += laterMs;
    }
    const wait = committer.add(['b']);
    timers.shift()?.();
    await wait;
    expect(pauses.at(-1)).toBe(pause);
  });

  it('does not wait once a group is heavy enough', async () => {
    const { committer, groups } = setUp({ groupWeight: 2 });
    await committer.add(['a', 'b']);
    expect(groups).toEqual([['a', 'b']]);
  });

  it('answers nobody before the commit', async () => {
    const { committer, timers } = setUp();
    let isAnswered = false;
    const wait = committer.add(['a']).then(() => {
      isAnswered = true;
    });
    await Promise.resolve();
    expect(isAnswered).toBe(false);
    timers[0]?.();
    await wait;
    expect(isAnswered).toBe(true);
  });

  it('refuses when too much waits, and takes again after the commit', async () => {
    const { committer, timers } = setUp({ maxWeight: 2 });
    const first = committer.add(['a', 'b']);
    expect(() => committer.add(['c'])).toThrow(expect.objectContaining({ code: 'backpressure', retryAfterSeconds: 2 }));
    timers[0]?.();
    await first;
    const second = committer.add(['c']);
    timers[1]?.();
    await expect(second).resolves.toBeUndefined();
  });

  it('tells every waiter of a failed group, and goes on with the next', async () => {
    const { committer, timers, failWith } = setUp();
    failWith(new Error('disk full'));
    const waits = [committer.add(['a']), committer.add(['b'])];
    timers[0]?.();
    for (const wait of waits) await expect(wait).rejects.toThrow('disk full');
    expect(committer.depth()).toBe(0);
  });
});
