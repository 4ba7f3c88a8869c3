export interface LeaseWatchOptions {
  /** Releases the work of processes that have ended. @returns the number of released items */
  tick(): Promise<number>;
  /** Called when work was released. */
  onReleased(count: number): void;
  onError(error: unknown): void;
  everyMs?: number;
}

export interface LeaseWatch {
  /** Stops after the current tick. */
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;

/** Releases the work of processes that have ended, within seconds. */
export function startLeaseWatch({ tick, onReleased, onError, everyMs = EVERY_MS }: LeaseWatchOptions): LeaseWatch {
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      const count = await tick();
      if (count > 0) onReleased(count);
    } catch (error) {
      onError(error);
    } finally {
      running = null;
    }
  }

  const timer = setInterval(() => {
    running ??= run();
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
