import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkLoop } from './work-loop.ts';

let loop: WorkLoop;
/** Times at which `runDue` was called. */
let calledAt: number[];
let errors: unknown[];
/** Results of the next calls of `runDue`; then 0. */
let batches: (number | Error)[];
let nextDueAt: number | null;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  [calledAt, errors, batches, nextDueAt] = [[], [], [], null];
});
afterEach(async () => {
  const stopped = loop.stop();
  await vi.runAllTimersAsync();
  await stopped;
  vi.useRealTimers();
});

const start = () => {
  loop = new WorkLoop({
    work: {
      runDue: async () => {
        calledAt.push(Date.now());
        const batch = batches.shift() ?? 0;
        if (batch instanceof Error) throw batch;
        return batch;
      },
      nextDueAt: async () => nextDueAt,
    },
    now: () => Date.now(),
    onError: (error) => void errors.push(error),
  });
};

describe('the work loop', () => {
  it('runs batches without a pause while work is due', async () => {
    batches = [50, 50, 3];
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect(calledAt).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ['until the next is due', 700, [0, 700]],
    ['15 seconds at most', 90_000, [0, 15_000]],
    ['15 seconds when nothing is queued', null, [0, 15_000]],
    ['briefly when the next is overdue', -5, [0, 20]],
  ])('sleeps %s', async (_name, due, times) => {
    nextDueAt = due;
    start();
    await vi.advanceTimersByTimeAsync((times.at(-1) as number) - 1);
    expect(calledAt).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calledAt).toEqual(times);
  });

  it('checks at once when woken', async () => {
    start();
    await vi.advanceTimersByTimeAsync(300);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(calledAt).toEqual([0, 300]);
  });

  it('checks again when woken during a check, which may have missed the new work', async () => {
    let isSlow = true;
    loop = new WorkLoop({
      work: {
        runDue: async () => {
          calledAt.push(Date.now());
          if (isSlow) await new Promise((next) => setTimeout(next, 100));
          isSlow = false;
          return 0;
        },
        nextDueAt: async () => nextDueAt,
      },
      now: () => Date.now(),
      onError: (error) => void errors.push(error),
    });
    await vi.advanceTimersByTimeAsync(50);
    loop.wake();
    await vi.advanceTimersByTimeAsync(60);
    expect(calledAt).toEqual([0, 100]);
  });

  it('logs an error, waits and continues', async () => {
    const error = new Error('database is locked');
    batches = [error];
    start();
    await vi.advanceTimersByTimeAsync(999);
    expect([calledAt, errors]).toEqual([[0], [error]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calledAt).toEqual([0, 1_000]);
  });

  it('stops at once when asleep', async () => {
    start();
    await vi.advanceTimersByTimeAsync(10);
    await loop.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calledAt).toEqual([0]);
  });

  it.each([
    ['that processed work', [50, 50]],
    ['that found no work', []],
    ['that failed', [new Error('database is locked')]],
  ])('stops after the running batch %s', async (_name, underWay) => {
    batches = underWay;
    start();
    await loop.stop();
    expect(calledAt).toEqual([0]);
  });
});
