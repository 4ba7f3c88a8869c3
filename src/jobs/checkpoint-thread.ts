import { WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import { type LogStep, type LogStepResult, NOTHING_WRITTEN } from '../store/sqlite-log.ts';
import { WorkerCrashError, WorkerPool } from './worker-pool.ts';
import type { StoreFile, WorkerTasks } from './worker-tasks.ts';
import type { WorkerEntry } from './worker-thread.ts';

export interface CheckpointThreadOptions {
  entry: WorkerEntry;
  store: StoreFile;
  /** Called when the step found damage. @param detail SQLite's message */
  onDamage(detail: string): void;
}

/** Far above the time of a slow disk; a thread that waits for the disk cannot be stopped anyway. */
const STEP_TIMEOUT_MS = 600_000;

/** A dedicated thread that checkpoints the write-ahead log: the other threads may be busy for minutes. */
export class CheckpointThread {
  readonly #pool: WorkerPool<Pick<WorkerTasks, 'runLogStep'>>;
  readonly #options: CheckpointThreadOptions;
  #isClosed = false;
  #isAvailable = false;

  constructor(options: CheckpointThreadOptions) {
    this.#options = options;
    this.#pool = new WorkerPool({
      name: 'checkpoint',
      size: 1,
      entry: options.entry,
      timeoutMs: { runLogStep: STEP_TIMEOUT_MS },
    });
  }

  /** Whether the last step finished. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  /** If no thread can start, nothing is checkpointed. */
  async runStep(step: LogStep): Promise<LogStepResult> {
    try {
      const result = await this.#pool.run('runLogStep', { ...this.#options.store, step });
      this.#isAvailable = true;
      if (result.damage !== null) this.#options.onDamage(result.damage);
      return result;
    } catch (error) {
      this.#isAvailable = false;
      if (this.#isClosed || error instanceof WorkerUnavailableError || error instanceof WorkerCrashError)
        return NOTHING_WRITTEN;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.close();
  }
}
