import { describe, expect, it } from 'vitest';
import { createGroupCommitter } from './group-committer.ts';

function setUp(options: { maxWeight?: number; groupWeight?: number } = {}) {
  const groups: string[][] = [];
  const timers: (() => void)[] = [];
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
    timer: { after: (_ms, run) => timers.push(run) },
  });
  return {
    committer,
    groups,
    timers,
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
