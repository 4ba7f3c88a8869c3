/** Work that a service keeps in the store: analyses, alerts, imports, deletions. */
export interface DueWork {
  /** Does what is due, up to `limit`. @returns how much, 0 when nothing is due */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds when the next is due; null where nothing waits. */
  nextDueAt(): Promise<number | null>;
}

export interface WorkLoop {
  /** Looks for due work now. */
  wake(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

export interface WorkLoopOptions {
  work: DueWork;
  now(): number;
  onError(error: unknown): void;
}

const BATCH = 50;
/** Whoever sees new work wakes the loop; so long at most waits what nobody saw, such as a lease whose holder died. */
const MAX_SLEEP_MS = 15_000;
const REST_AFTER_ERROR_MS = 1_000;
const MIN_SLEEP_MS = 20;

/** Does work as it falls due, and sleeps until the next is. */
export function startWorkLoop({ work, now, onError }: WorkLoopOptions): WorkLoop {
  let isStopped = false;
  /** Work may have come since the last look. */
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
        await sleep(REST_AFTER_ERROR_MS);
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
