import { AppError } from '../../core/app-error.ts';
import type { PlatformSyncTable } from '../../store/integration-tables.ts';

const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 3_600_000;
/** The longest wait that a platform can ask for. */
const MAX_WAIT_MS = 24 * MAX_PAUSE_MS;
/** Failures that may pass without a change by the user. */
const RETRIED: ReadonlySet<string> = new Set(['unreachable', 'backpressure', 'unavailable', 'busy']);

/**
 * The row of a sync after a failed run: it waits for a retry, with pauses that double, or it has failed until its next
 * scheduled run.
 *
 * @param attempts failed runs before this one
 * @param nextAt next scheduled run; null without a schedule
 */
export function afterFailure(
  error: unknown,
  attempts: number,
  { now, nextAt }: { now: number; nextAt: number | null },
): Pick<PlatformSyncTable, 'status' | 'attempts' | 'failure' | 'run_at' | 'finished_at'> {
  const known = error instanceof AppError ? error : null;
  const failure = known?.message ?? 'The sync failed because of an internal error.';
  const failed = attempts + 1;
  const mayRetry = known !== null && RETRIED.has(known.code) && failed < MAX_ATTEMPTS;
  if (!mayRetry) return { status: 'failed', attempts: 0, failure, run_at: nextAt, finished_at: now };
  const retryAfterMs = Math.min((known.retryAfterSeconds ?? 0) * 1_000, MAX_WAIT_MS);
  const pauseMs = Math.max(retryAfterMs, Math.min(FIRST_PAUSE_MS * 2 ** attempts, MAX_PAUSE_MS));
  return { status: 'waiting', attempts: failed, failure, run_at: now + pauseMs, finished_at: null };
}
