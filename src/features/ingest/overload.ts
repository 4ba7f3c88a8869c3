import { AppError } from '../../core/app-error.ts';

/**
 * Exporters of OpenTelemetry give up after 10 s, and decoding and committing take their time, too: a request that would
 * wait this long is refused at once.
 */
export const MAX_WAIT_MS = 3_000;
/** A request that has waited this long is refused although it was taken: the answer still comes in time. */
export const LONGEST_WAIT_MS = 4_000;
/** Exporters drop a batch when asked to wait for 10 s or longer. */
const LONGEST_RETRY_SECONDS = 9;

/** Seconds after which about half of the longest wait will be left. */
export function retryAfterSeconds(waitMs: number): number {
  return Math.max(1, Math.min(LONGEST_RETRY_SECONDS, Math.ceil((waitMs - MAX_WAIT_MS / 2) / 1_000)));
}

/** @param waitMs how long the request would wait */
export function overloaded(waitMs: number): AppError {
  return new AppError('backpressure', 'More is arriving than can be stored; try again shortly.', {
    retryAfterSeconds: retryAfterSeconds(waitMs),
  });
}

/** @throws AppError `backpressure` */
export function refuseLongWait(waitMs: number): void {
  if (waitMs > MAX_WAIT_MS) throw overloaded(waitMs);
}

/** Share of the old figures that is kept with each new one. */
const KEPT = 0.9;

/** Weight done in a millisecond, of which newer figures count more. */
export class RateMeter {
  #weight: number;
  #ms: number;

  /** @param firstRate weight a millisecond, assumed until there are figures */
  constructor(firstRate: number) {
    this.#weight = firstRate;
    this.#ms = 1;
  }

  note(weight: number, ms: number): void {
    this.#weight = this.#weight * KEPT + weight;
    this.#ms = this.#ms * KEPT + ms;
  }

  get perMs(): number {
    return this.#weight / this.#ms;
  }

  msFor(weight: number): number {
    return weight === 0 ? 0 : weight / this.perMs;
  }
}
