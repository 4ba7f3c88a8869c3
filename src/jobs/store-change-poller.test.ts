import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type StoreChangePoller, startStoreChangePoller } from './store-change-poller.ts';

let pulse: StoreChangePoller;
let mark: string | Error;
let reportedAt: number[];
let errors: unknown[];
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  [mark, reportedAt, errors] = ['1', [], []];
  pulse = startStoreChangePoller({
    changeMark() {
      if (mark instanceof Error) throw mark;
      return mark;
    },
    onChange: () => void reportedAt.push(Date.now()),
    onError: (error) => void errors.push(error),
  });
});
afterEach(() => {
  pulse.stop();
  vi.useRealTimers();
});

it('reports each change within a second, and nothing without a change', async () => {
  await vi.advanceTimersByTimeAsync(5_500);
  expect(reportedAt).toEqual([1_000]);
  mark = '2';
  await vi.advanceTimersByTimeAsync(5_000);
  mark = '1';
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reportedAt).toEqual([1_000, 6_000, 11_000]);
});

it('continues after an error and reports changes that occurred meanwhile', async () => {
  await vi.advanceTimersByTimeAsync(1_000);
  mark = new Error('database is locked');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(errors).toEqual([mark, mark]);
  mark = '2';
  await vi.advanceTimersByTimeAsync(1_000);
  expect(reportedAt).toEqual([1_000, 4_000]);
});

it('reports nothing after it is stopped', async () => {
  pulse.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reportedAt).toEqual([]);
});
