export interface StorageKeeper {
  /** Ends after the step under way. */
  stop(): Promise<void>;
}

export interface StorageKeeperOptions {
  /** One short step each second, one after the other. */
  steps: readonly (() => Promise<void>)[];
  onError(error: unknown): void;
  everyMs?: number;
}

const EVERY_MS = 1_000;

/** Looks after the disk of the data folder: whether it takes writes, the reserve, the log and free pages of the database. */
export function startStorageKeeper({ steps, onError, everyMs = EVERY_MS }: StorageKeeperOptions): StorageKeeper {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = run();

  async function run(): Promise<void> {
    for (const step of steps) if (!isStopped) await step().catch(onError);
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run();
    }, everyMs);
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
