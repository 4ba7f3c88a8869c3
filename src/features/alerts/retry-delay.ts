const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays after each failed attempt. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;
/** Messages older than this are dropped. */
export const MAX_AGE_MS = 24 * HOUR;
const JITTER = 0.2;

/**
 * Delay before the next attempt; null to give up. The receiver's requested delay is used if it is longer.
 * @param attempts attempts so far, 1 after the first
 * @param chance 0–1: jitter for attempts that failed together
 */
export function retryDelayMs(
  { attempts, ageMs, retryAfterMs }: { attempts: number; ageMs: number; retryAfterMs: number | null },
  chance: number,
): number | null {
  const delay = PAUSES_MS[attempts - 1];
  if (delay === undefined) return null;
  const spread = Math.round(delay * (1 + JITTER * (2 * chance - 1)));
  const pause = Math.max(spread, retryAfterMs ?? 0);
  return ageMs + pause > MAX_AGE_MS ? null : pause;
}
