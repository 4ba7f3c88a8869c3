import { describe, expect, it } from 'vitest';
import { AppError } from '../../core/app-error.ts';
import { afterFailure } from './sync-failure.ts';

const NOW = 1_000_000;
const NEXT = NOW + 600_000;
const unreachable = (retryAfterSeconds?: number) => new AppError('unreachable', 'No answer.', { retryAfterSeconds });
const waiting = (attempts: number, pauseMs: number) => ({
  status: 'waiting',
  attempts,
  run_at: NOW + pauseMs,
  finished_at: null,
});
const failed = (failure: string) => ({ status: 'failed', attempts: 0, failure, run_at: NEXT, finished_at: NOW });

describe('a sync after a failed run', () => {
  it.each<[string, unknown, number, object]>([
    ['waits 15 s after the first failure', unreachable(), 0, waiting(1, 15_000)],
    ['waits twice as long after the second', unreachable(), 1, waiting(2, 30_000)],
    ['waits longer after the seventh', unreachable(), 6, waiting(7, 960_000)],
    ['has failed after the eighth', unreachable(), 7, failed('No answer.')],
    ['waits as long as the platform asks', unreachable(120), 0, waiting(1, 120_000)],
    ['waits no less than its own pause', unreachable(1), 0, waiting(1, 15_000)],
    ['waits a day at most', unreachable(1_000_000), 0, waiting(1, 86_400_000)],
    ['retries while the store is busy', new AppError('busy', 'Busy.'), 0, waiting(1, 15_000)],
    ['retries under backpressure', new AppError('backpressure', 'Full.'), 0, waiting(1, 15_000)],
    ['retries while the service is unavailable', new AppError('unavailable', 'Down.'), 0, waiting(1, 15_000)],
    ['has failed where a retry cannot help', new AppError('conflict', 'No key.'), 0, failed('No key.')],
    ['hides an unknown fault', new Error('secret path'), 0, failed('The sync failed because of an internal error.')],
  ])('%s', (_name, error, attempts, expected) => {
    expect(afterFailure(error, attempts, { now: NOW, nextAt: NEXT })).toMatchObject(expected);
  });
});
