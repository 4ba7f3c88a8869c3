import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isRetentionDue } from '../features/deletion/retention-due.ts';
import { type RetentionSchedule, startRetentionSchedule } from './retention-schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let schedule: RetentionSchedule;
let errors: unknown[];
let logged: string[];
let lastRunAt: number | null;
beforeEach(() => {
  [errors, logged] = [[], []];
  lastRunAt = new Date(2026, 0, 15, 3, 17).getTime();
  vi.useFakeTimers({ now: new Date(2026, 0, 15, 12) });
});
afterEach(() => {
  schedule.stop();
  vi.useRealTimers();
});

const log = {
  info: () => {},
  debug: () => {},
  warn: (_fields: object, message: string) => void logged.push(message),
  error: (_fields: object, message: string) => void logged.push(message),
};

/** Times of the runs, local time. */
function start(run: () => Promise<void> = async () => {}): string[] {
  const runs: string[] = [];
  schedule = startRetentionSchedule(
    {
      async scheduleRetentionWhenDue() {
        const now = new Date();
        if (!isRetentionDue(lastRunAt, now.getTime())) return null;
        runs.push(`${now.getDate()}. ${now.getHours()}:${now.getMinutes()}`);
        await run();
        lastRunAt = now.getTime();
        return 0;
      },
    },
    log,
    (error) => void errors.push(error),
  );
  return runs;
}

it('runs every night at 3:17 and at no other time', async () => {
  const runs = start();
  await vi.advanceTimersByTimeAsync(15 * 60 * MINUTE_MS);
  expect(runs).toEqual([]);
  await vi.advanceTimersByTimeAsync(18 * MINUTE_MS);
  expect(runs).toEqual(['16. 3:17']);
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(runs).toEqual(['16. 3:17', '17. 3:17', '18. 3:17']);
});

it('runs at the start if the server was off at 3:17', async () => {
  lastRunAt = new Date(2026, 0, 14, 3, 17).getTime();
  const runs = start();
  await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
  expect(runs).toEqual(['15. 12:0']);
});

it('runs within a minute after the machine slept over 3:17, and node-cron prints nothing', async () => {
  const printed = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(process.stderr, 'write')];
  const runs = start();
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  vi.setSystemTime(new Date(2026, 0, 17, 9, 30, 20));
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatch(/^17\. 9:3/);
  expect(printed.map((spy) => spy.mock.calls)).toEqual([[], [], []]);
  for (const spy of printed) spy.mockRestore();
});

it('is retried a minute after a failure', async () => {
  lastRunAt = null;
  let isBroken = true;
  const runs = start(async () => {
    if (isBroken) throw new Error('database is locked');
  });
  await vi.advanceTimersByTimeAsync(10_000);
  isBroken = false;
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(runs).toHaveLength(2);
  expect(errors).toEqual([new Error('database is locked')]);
});

it('does not run after it is stopped', async () => {
  const runs = start();
  schedule.stop();
  await vi.advanceTimersByTimeAsync(2 * DAY_MS);
  expect(runs).toEqual([]);
});

it('checks once if the start coincides with a full minute, and logs the result', async () => {
  lastRunAt = null;
  let checks = 0;
  let finish = (_jobs: number) => {};
  const reported: object[] = [];
  schedule = startRetentionSchedule(
    {
      scheduleRetentionWhenDue() {
        checks += 1;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    },
    { ...log, info: (fields, message) => void reported.push([fields, message]) },
    (error) => void errors.push(error),
  );
  await vi.advanceTimersByTimeAsync(MINUTE_MS + 1);
  expect(checks).toBe(1);
  finish(0);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(checks).toBe(2);
  finish(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(reported).toEqual([
    [{ jobs: 0 }, 'retention: nothing to delete'],
    [{ jobs: 3 }, 'retention: deletions are scheduled'],
  ]);
});
