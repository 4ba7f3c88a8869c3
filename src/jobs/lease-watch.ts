export interface LeaseWatchOptions {
  /** Releases the work of processes that have ended. @returns how much */
  tick(): Promise<number>;
  /** Work became free. */
  onReleased(count: number): void;
  onError(error: unknown): void;
  everyMs?: number;
}

export interface LeaseWatch {
  /** Ends after the tick under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;

/** Takes over the work of processes that have ended, within seconds. */
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
