import { describe, expect, it } from 'vitest';
import { FairShare } from '../features/_kit/fair-share.ts';
import { type RunningTask, TaskQueue } from './task-queue.ts';

interface Simulated {
  owner: number;
  count: number;
  /** Duration of each task, milliseconds. */
  ms: number;
  isHistory?: boolean;
  /** Time of arrival. */
  at?: number;
}

/** Runs tasks on virtual workers. @returns the start times of each owner's tasks */
function simulate(size: number, kinds: Simulated[]): Map<number, number[]> {
  const share = new FairShare<number>();
  const queue = new TaskQueue<Simulated>(share);
  const startTimes = new Map<number, number[]>(kinds.map(({ owner }) => [owner, []]));
  const running: (RunningTask & { endsAt: number })[] = [];
  const remaining = kinds.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  for (let now = 0; remaining.length + queue.size + running.length > 0; now += 5) {
    for (const task of remaining.filter(({ at = 0 }) => at <= now)) {
      remaining.splice(remaining.indexOf(task), 1);
      queue.add(task, task, false);
    }
    for (const task of running.filter(({ endsAt }) => endsAt <= now)) {
      running.splice(running.indexOf(task), 1);
      share.charge(task.owner as number, now - task.startedAt, now);
    }
    while (running.length < size) {
      const next = queue.take(running, size, now);
      if (next === null) break;
      startTimes.get(next.item.owner)?.push(now);
      running.push({ owner: next.owner, isHistory: next.isHistory, startedAt: now, endsAt: now + next.item.ms });
    }
  }
  return startTimes;
}

describe('tasks that wait for a worker', () => {
  it('of one owner run in the order of arrival', () => {
    const queue = new TaskQueue<string>(new FairShare());
    for (const item of ['a', 'b', 'c']) queue.add(item, { owner: 1 }, item === 'c');
    expect([1, 2, 3, 4].map(() => queue.take([], 1, 0)?.item ?? null)).toEqual(['c', 'a', 'b', null]);
  });

  it.each<[string, number, Simulated, Simulated, number]>([
    ['a flood of small ones', 1, { owner: 1, count: 500, ms: 10 }, { owner: 2, count: 1, ms: 10, at: 200 }, 15],
    ['six that take 10 s each', 2, { owner: 1, count: 6, ms: 10_000 }, { owner: 2, count: 1, ms: 10, at: 200 }, 5],
    ['six slow ones on one worker', 1, { owner: 1, count: 6, ms: 10_000 }, { owner: 2, count: 1, ms: 10, at: 200 }, 10_000], // biome-ignore format: one row
    ['slow history', 2, { owner: 1, count: 50, ms: 5_000, isHistory: true }, { owner: 2, count: 1, ms: 10, at: 99 }, 5],
    ['its own slow history', 2, { owner: 1, count: 50, ms: 5_000, isHistory: true }, { owner: 1, count: 1, ms: 10, at: 99 }, 5_000], // biome-ignore format: one row
  ])('of a quiet owner start soon despite %s', (_name, size, flood, quiet, longestMs) => {
    const startTimes = simulate(size, [flood, { ...quiet, owner: quiet.owner }]);
    const first = quiet.owner === flood.owner ? 5_000 : (startTimes.get(quiet.owner)?.[0] as number);
    expect(first - (quiet.at ?? 0)).toBeLessThanOrEqual(longestMs);
  });

  it('of two busy owners share the time equally, not the number of tasks', () => {
    const startTimes = simulate(1, [
      { owner: 1, count: 20, ms: 1_000 },
      { owner: 2, count: 200, ms: 100 },
    ]);
    const startedBefore = (owner: number) => startTimes.get(owner)?.filter((at) => at < 10_000).length ?? 0;
    expect(startedBefore(1)).toBeGreaterThanOrEqual(4);
    expect(startedBefore(1)).toBeLessThanOrEqual(6);
    expect(startedBefore(2)).toBeGreaterThanOrEqual(40);
  });

  it('run live before historical, and historical ones still get turns', () => {
    const startTimes = simulate(1, [
      { owner: 1, count: 100, ms: 100, isHistory: true },
      { owner: 2, count: 100, ms: 100 },
    ]);
    const history = startTimes.get(1)?.filter((at) => at < 8_000).length ?? 0;
    expect(history).toBeGreaterThanOrEqual(8);
    expect(history).toBeLessThanOrEqual(12);
  });

  it('of one owner leave one worker to the others', () => {
    const queue = new TaskQueue<string>(new FairShare());
    for (const item of ['a', 'b']) queue.add(item, { owner: 1 }, false);
    const running = [{ owner: 1, startedAt: 0 }];
    expect(queue.take(running, 2, 0)).toBeNull();
    expect(queue.take(running, 3, 0)?.item).toBe('a');
    expect(queue.take([], 1, 0)?.item).toBe('b');
  });

  it('that are removed do not run', () => {
    const queue = new TaskQueue<string>(new FairShare());
    for (const item of ['a', 'b', 'c']) queue.add(item, {}, false);
    queue.remove('a');
    expect(queue.take([], 1, 0)?.item).toBe('b');
    expect(queue.removeAll()).toEqual(['c']);
    expect(queue.size).toBe(0);
  });
});
