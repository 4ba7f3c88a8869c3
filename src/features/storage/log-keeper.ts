import type { LogStep, LogStepResult } from '../../store/sqlite-log.ts';

export type LogPages = Pick<LogStepResult, 'writtenPages' | 'waitingPages' | 'isDone'>;

export interface LogKeeperOptions {
  /** On another thread. */
  write(step: LogStep): Promise<LogPages>;
  /** Runs `work` while no statement of this process runs; others wait without holding up the event loop. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** 1 MiB: so much is written while commits wait. */
const FEW_PAGES = 64;
const MOST_STEPS = 4;

/**
 * Writes the write-ahead log into the database without waiting for the disk on the event loop. Most is written while commits
 * go on; only the rest is written while they wait, so that the log can begin again.
 */
export class LogKeeper {
  readonly #options: LogKeeperOptions;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: LogKeeperOptions) {
    this.#options = options;
  }

  /**
   * One at a time.
   * @param isEmptied also cuts the file of the log, as after a deletion
   * @returns whether all of it was written; a reader prevents that
   */
  fold(isEmptied: boolean): Promise<boolean> {
    const folded = this.#running.then(() => this.#fold(isEmptied));
    this.#running = folded.catch(() => {});
    return folded;
  }

  async #fold(isEmptied: boolean): Promise<boolean> {
    const { write, hold } = this.#options;
    let written = 0;
    for (let step = 1; step <= MOST_STEPS; step += 1) {
      const { writtenPages, waitingPages } = await write('advance');
      if (waitingPages <= FEW_PAGES) break;
      // Behind a reader nothing more can be written, and no commit waits for that.
      if (writtenPages <= written) return false;
      written = writtenPages;
    }
    return (await hold(() => write(isEmptied ? 'empty' : 'restart'))).isDone;
  }
}
