/** Work that a service keeps in the store: analyses, alerts, imports, deletions. */
export interface DueWork {
  /** Processes due work, up to `limit`. @returns how much was processed, 0 if nothing is due */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds when the next work is due; null if none is queued. */
  nextDueAt(): Promise<number | null>;
}

export interface WorkLoop {
  /** Checks for due work now. */
  wake(): void;
  /** Stops after the current batch. */
  stop(): Promise<void>;
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

/** Processes work as it falls due, and sleeps until the next is. */
export function startWorkLoop({ work, now, onError }: WorkLoopOptions): WorkLoop {
  let isStopped = false;
  /** Work may have arrived since the last check. */
  let isWoken = false;
  let wakeSleeper: () => void = () => {};
  const ended = run();

  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        isWoken = false;
        if ((await work.runDue(BATCH)) === 0) await sleep(await untilNext());
      } catch (error) {
        onError(error);
        isWoken = false;
        await sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  async function untilNext(): Promise<number> {
    const next = await work.nextDueAt();
    if (next === null) return MAX_SLEEP_MS;
    return Math.min(MAX_SLEEP_MS, Math.max(MIN_SLEEP_MS, next - now()));
  }

  async function sleep(ms: number): Promise<void> {
    if (isStopped || isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeSleeper = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    wake() {
      isWoken = true;
      wakeSleeper();
    },
    async stop() {
      isStopped = true;
      wakeSleeper();
      await ended;
    },
  };
}
