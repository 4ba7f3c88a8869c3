import { problemTextOf } from './problem-text.ts';
import type { Load } from './query-cache.ts';

const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_SECONDS = 1;

/** Resolves after so many seconds, or when the signal aborts. */
export type Pause = (seconds: number, signal: AbortSignal) => Promise<void>;

/**
 * A load that waits and asks again where the server is busy: large traces are read a few at a time. It waits as long as the
 * server says, else twice as long each time.
 */
export function patiently<Value>(load: Load<Value>, pause: Pause = pauseFor): Load<Value> {
  return async (signal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await load(signal);
      } catch (error) {
        const { canRetry, retryAfterSeconds } = problemTextOf(error);
        if (!canRetry || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
        await pause(retryAfterSeconds ?? FIRST_PAUSE_SECONDS * 2 ** (attempt - 1), signal);
        if (signal.aborted) throw error;
      }
    }
  };
}

function pauseFor(seconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1_000);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
