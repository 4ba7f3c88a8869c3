export interface StorageMaintenance {
  /** Stops after the current step. */
  stop(): Promise<void>;
}

export interface StorageMaintenanceOptions {
  /** One short step per second, in order. */
  steps: readonly (() => Promise<void>)[];
  onError(error: unknown): void;
  everyMs?: number;
}

const EVERY_MS = 1_000;

/** Maintains the disk of the data folder: write checks, the reserve file, the log and free pages of the database. */
export function startStorageMaintenance({
  steps,
  onError,
  everyMs = EVERY_MS,
}: StorageMaintenanceOptions): StorageMaintenance {
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
