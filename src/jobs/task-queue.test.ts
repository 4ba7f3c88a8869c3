import { describe, expect, it } from 'vitest';
import { FairShare } from '../features/_kit/fair-share.ts';
import { type RunningTask, TaskQueue } from './task-queue.ts';

interface Simulated {
  owner: number;
  count: number;
  /** Milliseconds that each takes. */
  ms: number;
  isHistory?: boolean;
  /** When they come. */
  at?: number;
}

/** Runs tasks on virtual workers. @returns when each task of an owner began, in order */
function simulate(size: number, kinds: Simulated[]): Map<number, number[]> {
  const share = new FairShare<number>();
  const queue = new TaskQueue<Simulated>(share);
  const begun = new Map<number, number[]>(kinds.map(({ owner }) => [owner, []]));
  const running: (RunningTask & { endsAt: number })[] = [];
  const left = kinds.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  for (let now = 0; left.length + queue.size + running.length > 0; now += 5) {
    for (const task of left.filter(({ at = 0 }) => at <= now)) {
      left.splice(left.indexOf(task), 1);
      queue.add(task, task, false);
    }
    for (const task of running.filter(({ endsAt }) => endsAt <= now)) {
      running.splice(running.indexOf(task), 1);
      share.charge(task.owner as number, now - task.startedAt, now);
    }
    while (running.length < size) {
      const next = queue.take(running, size, now);
      if (next === null) break;
      begun.get(next.item.owner)?.push(now);
      running.push({ owner: next.owner, isHistory: next.isHistory, startedAt: now, endsAt: now + next.item.ms });
    }
  }
  return begun;
}

describe('tasks that wait for a worker', () => {
  it('run in the order in which they came, of one owner', () => {
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
  ])('of a quiet owner start soon beside %s', (_name, size, flood, quiet, longestMs) => {
    const begun = simulate(size, [flood, { ...quiet, owner: quiet.owner }]);
    const first = quiet.owner === flood.owner ? 5_000 : (begun.get(quiet.owner)?.[0] as number);
    expect(first - (quiet.at ?? 0)).toBeLessThanOrEqual(longestMs);
  });

  it('of two busy owners take turns by time, not by number', () => {
    const begun = simulate(1, [
      { owner: 1, count: 20, ms: 1_000 },
      { owner: 2, count: 200, ms: 100 },
    ]);
    const begunBefore = (owner: number) => begun.get(owner)?.filter((at) => at < 10_000).length ?? 0;
    expect(begunBefore(1)).toBeGreaterThanOrEqual(4);
    expect(begunBefore(1)).toBeLessThanOrEqual(6);
    expect(begunBefore(2)).toBeGreaterThanOrEqual(40);
  });

  it('live go before history, and history is never left out', () => {
    const begun = simulate(1, [
      { owner: 1, count: 100, ms: 100, isHistory: true },
      { owner: 2, count: 100, ms: 100 },
    ]);
    const history = begun.get(1)?.filter((at) => at < 8_000).length ?? 0;
    expect(history).toBeGreaterThanOrEqual(8);
    expect(history).toBeLessThanOrEqual(12);
  });

  it('of one owner leave a worker to the others', () => {
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
