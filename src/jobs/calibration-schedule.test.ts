import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startCalibrationSchedule } from './calibration-schedule.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('processes due tenants one by one, continues after an error, and ends when stopped', async () => {
  const waiting = [1, 1, 0];
  const errors: unknown[] = [];
  let calls = 0;
  const schedule = startCalibrationSchedule({
    calibration: {
      async runDue() {
        calls += 1;
        if (waiting.length === 0) throw new Error('locked');
        return waiting.shift()!;
      },
    },
    onError: (error) => void errors.push(error),
    everyMs: 1_000,
  });
  expect(calls).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toBe(3);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(errors).toHaveLength(2);
  await schedule.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toBe(5);
});
