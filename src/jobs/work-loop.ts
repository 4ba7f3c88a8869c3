/** Work that a service keeps in the store: analyses, alerts, imports, deletions. */
export interface DueWork {
  /** Processes due work, up to `limit`. @returns how much was processed, 0 if nothing is due */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds when the next work is due; null if none is queued. */
  nextDueAt(): Promise<number | null>;
}

export interface WorkLoopOptions {
  work: DueWork;
  now(): number;
  onError(error: unknown): void;
}

const BATCH = 50;
/** The loop is woken when new work is noticed; this bounds the wait for work that was not, such as an expired lease. */
const MAX_SLEEP_MS = 15_000;
const PAUSE_AFTER_ERROR_MS = 1_000;
const MIN_SLEEP_MS = 20;

/** Processes work as it falls due, and sleeps until the next is. It starts when it is created. */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #ended: Promise<void>;
  #isStopped = false;
  /** Work may have arrived since the last check. */
  #isWoken = false;
  #endSleep: () => void = () => {};

  constructor(options: WorkLoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  /** Checks for due work now. */
  wake(): void {
    this.#isWoken = true;
    this.#endSleep();
  }

  /** Stops after the current batch. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endSleep();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { work, now, onError } = this.#options;
    while (!this.#isStopped) {
      try {
        this.#isWoken = false;
        if ((await work.runDue(BATCH)) === 0) await this.#sleep(sleepMs(await work.nextDueAt(), now()));
      } catch (error) {
        onError(error);
        this.#isWoken = false;
        await this.#sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isStopped || this.#isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** @param nextDueAt Unix milliseconds; null if no work is queued */
function sleepMs(nextDueAt: number | null, now: number): number {
  if (nextDueAt === null) return MAX_SLEEP_MS;
  return Math.min(MAX_SLEEP_MS, Math.max(MIN_SLEEP_MS, nextDueAt - now));
}
