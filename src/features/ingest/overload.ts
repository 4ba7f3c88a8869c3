import { AppError } from '../../core/app-error.ts';

/**
 * OpenTelemetry exporters time out after 10 s, and decoding and committing take time, too: a request that would
 * wait this long is rejected at once.
 */
export const MAX_EXPECTED_WAIT_MS = 3_000;
/** A request that has waited this long is rejected although it was accepted: the response is still in time. */
export const MAX_WAIT_MS = 4_000;
/** Exporters drop a batch if they must wait for 10 s or longer. */
const MAX_RETRY_SECONDS = 9;

/** Seconds after which about half of the longest wait remains. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.min(MAX_RETRY_SECONDS, Math.ceil((waitMs - MAX_EXPECTED_WAIT_MS / 2) / 1_000)));
}

/** @param waitMs expected wait of the request */
export function overloaded(waitMs: number): AppError {
  return new AppError('backpressure', 'The server is overloaded; try again shortly.', {
    retryAfterSeconds: retryAfterSeconds(waitMs),
  });
}

/** @throws AppError `backpressure` */
export function requireShortWait(waitMs: number): void {
  if (waitMs > MAX_EXPECTED_WAIT_MS) throw overloaded(waitMs);
}

/** Weight of the old average in each update. */
const OLD_WEIGHT = 0.9;

/** Moving average of the weight processed per millisecond. */
export class RateMeter {
  #weight: number;
  #ms: number;

  /** @param firstRate weight per millisecond, assumed until there are measurements */
  constructor(firstRate: number) {
    this.#weight = firstRate;
    this.#ms = 1;
  }

  record(weight: number, ms: number): void {
    this.#weight = this.#weight * OLD_WEIGHT + weight;
    this.#ms = this.#ms * OLD_WEIGHT + ms;
  }

  get perMs(): number {
    return this.#weight / this.#ms;
  }

  msFor(weight: number): number {
    return weight === 0 ? 0 : weight / this.perMs;
  }
}
