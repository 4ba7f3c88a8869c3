import { problemTextOf } from './problem-text.ts';
import type { Load } from './query-cache.ts';

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_SECONDS = 1;

/** Resolves after the number of seconds, or when the signal aborts. */
export type Sleep = (seconds: number, signal: AbortSignal) => Promise<void>;

/**
 * Retries a load while the server is busy: it reads only a few large traces at a time. The delay is the server's
 * `Retry-After`, otherwise it doubles with each attempt.
 */
export function withRetries<Value>(load: Load<Value>, sleep: Sleep = sleepSeconds): Load<Value> {
  return async (signal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await load(signal);
      } catch (error) {
        const { canRetry, retryAfterSeconds } = problemTextOf(error);
        if (!canRetry || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
        await sleep(retryAfterSeconds ?? FIRST_DELAY_SECONDS * 2 ** (attempt - 1), signal);
        if (signal.aborted) throw error;
      }
    }
  };
}

function sleepSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1_000);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
