import type { Clock } from '../../core/clock.ts';

/** Order of arrival across restarts: starts above what the database holds, and follows the clock where that is ahead. */
export class Sequence {
  #last: number;
  readonly #clock: Clock;

  constructor(newest: number, clock: Clock) {
    this.#last = newest;
    this.#clock = clock;
  }

  next(): number {
    this.#last = Math.max(this.#last + 1, this.#clock.now() * 1000);
    return this.#last;
  }
}
