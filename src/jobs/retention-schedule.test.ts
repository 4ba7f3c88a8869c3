import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type RetentionSchedule, startRetentionSchedule } from './retention-schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let schedule: RetentionSchedule;
let errors: unknown[];
beforeEach(() => {
  errors = [];
  vi.useFakeTimers({ now: new Date(2026, 0, 15, 12) });
});
afterEach(() => {
  schedule.stop();
  vi.useRealTimers();
});

/** Moments at which jobs were noted, local time. */
function start(scheduleRetention: () => Promise<number> = async () => 0): string[] {
  const called: string[] = [];
  schedule = startRetentionSchedule(
    {
      scheduleRetention() {
        const now = new Date();
        called.push(`${now.getDate()}. ${now.getHours()}:${now.getMinutes()}`);
        return scheduleRetention();
      },
    },
    (error) => void errors.push(error),
  );
  return called;
}

it('notes jobs every night at 3:17, and never otherwise', async () => {
  const called = start();
  await vi.advanceTimersByTimeAsync(15 * 60 * MINUTE_MS);
  expect(called).toEqual([]);
  await vi.advanceTimersByTimeAsync(18 * MINUTE_MS);
  expect(called).toEqual(['16. 3:17']);
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(called).toEqual(['16. 3:17', '17. 3:17', '18. 3:17']);
});

it('goes on the next night after a failure', async () => {
  const called = start(async () => {
    throw new Error('database is locked');
  });
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(called).toHaveLength(2);
  expect(errors).toEqual([new Error('database is locked'), new Error('database is locked')]);
});

it('does nothing more once it is stopped', async () => {
  const called = start();
  schedule.stop();
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(called).toEqual([]);
});
