import type { LogStep, LogStepResult } from '../../store/sqlite-log.ts';

export type LogPages = Pick<LogStepResult, 'writtenPages' | 'waitingPages' | 'isDone'>;

export interface CheckpointerOptions {
  /** On another thread. */
  runStep(step: LogStep): Promise<LogPages>;
  /** Runs `work` while no statement of this process runs; others wait without holding up the event loop. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** At most 1 MiB is checkpointed while commits wait. */
const FEW_PAGES = 64;
const MAX_STEPS = 4;

/**
 * Checkpoints the write-ahead log without waiting for the disk on the event loop. Most pages are written while commits go on;
 * only the rest is written while they wait, so that the log can restart.
 */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: CheckpointerOptions) {
    this.#options = options;
  }

  /**
   * One at a time.
   * @param truncates also truncates its file, as after a deletion
   * @returns whether no page of it is left; a reader prevents that
   */
  checkpoint(truncates: boolean): Promise<boolean> {
    const done = this.#running.then(() => this.#checkpoint(truncates));
    this.#running = done.catch(() => {});
    return done;
  }

  async #checkpoint(truncates: boolean): Promise<boolean> {
    const { runStep, hold } = this.#options;
    let written = 0;
    for (let step = 1; step <= MAX_STEPS; step += 1) {
      const { writtenPages, waitingPages } = await runStep('advance');
      if (waitingPages <= FEW_PAGES) break;
      // Behind a reader nothing more can be written, and no commit waits for that.
      if (writtenPages <= written) return false;
      written = writtenPages;
    }
    return (await hold(() => runStep(truncates ? 'truncate' : 'restart'))).isDone;
  }
}
