import type { Clock } from '../../core/clock.ts';
import { isPaused } from '../../core/elapsed.ts';

export const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;

/** Pauses requests to the judge's endpoint: the pause doubles with each consecutive failure, for any trace. */
export class JudgePause {
  readonly #clock: Clock;
  #until = 0;
  #consecutiveFailures = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Unix milliseconds; 0 before the first failure. It may lie in the past. */
  get until(): number {
    return this.#until;
  }

  get isActive(): boolean {
    return isPaused(this.#until, this.#clock.now(), MAX_PAUSE_MS);
  }

  /** @returns whether it is the first failure in a row */
  recordFailure(retryAfterMs: number | null): boolean {
    this.#consecutiveFailures += 1;
    const growing = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#consecutiveFailures - 1));
    this.#until = this.#clock.now() + Math.max(growing, Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS));
    return this.#consecutiveFailures === 1;
  }

  recordResponse(): void {
    this.#consecutiveFailures = 0;
  }
}
