import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import { capDueTimes, shiftDueTimes } from '../../store/due-time.store.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';

export interface ClockMonitorOptions {
  db: Kysely<Database>;
  clock: Clock;
  /** Monotonic milliseconds. */
  monotonicNow(): number;
}

/** Smaller steps delay nothing for long; time servers cause them all the time. */
const MIN_STEP_MS = 1_000;
/** A forward step of this size may be a mistake: irreversible actions wait as long. */
const DOUBTFUL_STEP_MS = 3_600_000;

/** Keeps pending work due when the system clock is set back, also while no process ran. */
export class ClockMonitor {
  readonly #options: ClockMonitorOptions;
  /** Wall clock minus monotonic clock; null before the first tick. */
  #offset: number | null = null;
  /** Monotonic time of the latest doubtful step; null: none, or the clock was set back since. */
  #doubtfulSince: number | null = null;
  /** Monotonic time of the start or of the latest large step backwards. */
  #behindSince: number;

  constructor(options: ClockMonitorOptions) {
    this.#options = options;
    this.#behindSince = options.monotonicNow();
  }

  /**
   * False for an hour after the clock was set forward by an hour or more; a machine that slept looks the same. Old data is
   * not deleted then: with a wrong clock, all data may look old.
   */
  isSteady(): boolean {
    if (this.#forwardsMs() >= DOUBTFUL_STEP_MS) return false;
    const since = this.#doubtfulSince;
    return since === null || this.#options.monotonicNow() - since >= DOUBTFUL_STEP_MS;
  }

  /**
   * True in the first hour of a process, which may start before the clock is set, and for an hour after the clock was set
   * back by an hour or more: stored future times may be right.
   */
  mayBeBehind(): boolean {
    if (this.#forwardsMs() <= -DOUBTFUL_STEP_MS) return true;
    return this.#options.monotonicNow() - this.#behindSince < DOUBTFUL_STEP_MS;
  }

  /** How far the clock stepped since the last tick. */
  #forwardsMs(): number {
    const { clock, monotonicNow } = this.#options;
    return this.#offset === null ? 0 : clock.now() - monotonicNow() - this.#offset;
  }

  #recordJump(): void {
    const forwardsMs = this.#forwardsMs();
    if (forwardsMs >= DOUBTFUL_STEP_MS) this.#doubtfulSince = this.#options.monotonicNow();
    else if (forwardsMs <= -DOUBTFUL_STEP_MS) {
      this.#doubtfulSince = null;
      this.#behindSince = this.#options.monotonicNow();
    }
  }

  /** Call it at start and every two seconds. @returns how many times of stored work it changed */
  async tick(): Promise<number> {
    const { db, clock, monotonicNow } = this.#options;
    this.#recordJump();
    const now = clock.now();
    const offset = now - monotonicNow();
    const before = this.#offset;
    const stepMs = before === null ? 0 : Math.round(before - offset);
    if (before !== null && stepMs < MIN_STEP_MS) {
      // After a step forward everything is due at once, which loses nothing. Small steps accumulate until they matter.
      if (stepMs < 0) this.#offset = offset;
      return 0;
    }
    const changed = await inTransaction(db, async (transaction) => {
      const shifted = stepMs > 0 ? await shiftDueTimes(transaction, now, stepMs) : 0;
      return shifted + (await capDueTimes(transaction, now));
    });
    this.#offset = offset;
    return changed;
  }
}
