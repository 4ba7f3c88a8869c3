import type { Clock } from '../../core/clock.ts';

/** Arrival order across restarts: starts above the database's maximum, and follows the clock if that is ahead. */
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
