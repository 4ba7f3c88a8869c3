import { MessageChannel } from 'node:worker_threads';
import { AppError } from '../core/app-error.ts';
import { JsonText } from '../core/json-text.ts';
import { WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import { type OffloadTask, TooHeavyError } from '../features/offload/task.ts';
import { type RunOptions, type TaskRunner, withFirst } from '../features/offload/task-runner.ts';
import { StoreFault } from '../store/store-fault.ts';
import { receiveChunks } from './chunk-port.ts';
import { RunningDetector } from './running-detector.ts';
import { TenantScheduler } from './tenant-scheduler.ts';
import { WorkerCrashError, WorkerPool } from './worker-pool.ts';
import type { OffloadKinds, StoreFile } from './worker-tasks.ts';
import type { WorkerEntry } from './worker-thread.ts';

export interface TaskPoolOptions {
  /** Worker threads; they start on first use. At least two, so that one tenant never occupies all. */
  size: number;
  entry: WorkerEntry;
  store: StoreFile;
  /** A task that takes longer is stopped with its worker. */
  timeoutMs?: Partial<Record<keyof OffloadKinds, number>>;
  /** A client that reads nothing for this long is dropped. */
  idleMs?: number;
  /** Called when a worker found damage in the store. @param detail SQLite's message */
  onDamage?(detail: string): void;
}

/** For a read this includes the time that the client takes to receive the response. */
const TIMEOUT_MS = { read: 300_000, check: 20_000, judge: 4_000 };
const IDLE_MS = 10_000;
const TURNS = { maxWaitingPerTenant: 32, maxWaiting: 256, maxWaitMs: 8_000 };
const UNAVAILABLE_RETRY_SECONDS = 5;

/** Runs expensive tasks on worker threads, each with a read-only connection to the store. */
export class TaskPool implements TaskRunner {
  readonly #pool: WorkerPool<OffloadKinds>;
  readonly #turns: TenantScheduler;
  readonly #store: StoreFile;
  readonly #idleMs: number;
  readonly #onDamage: (detail: string) => void;

  constructor({ size, entry, store, timeoutMs, idleMs = IDLE_MS, onDamage = () => {} }: TaskPoolOptions) {
    const places = Math.max(2, size);
    this.#store = store;
    this.#idleMs = idleMs;
    this.#onDamage = onDamage;
    this.#turns = new TenantScheduler({ places, share: places - 1, ...TURNS });
    this.#pool = new WorkerPool<OffloadKinds>({
      name: 'read',
      size: places,
      entry,
      timeoutMs: { ...TIMEOUT_MS, ...timeoutMs },
      createMemory: () => new RunningDetector().memory,
    });
  }

  get isAvailable(): boolean {
    return this.#pool.state.isAvailable;
  }

  /** Running tasks and queued tasks. */
  get load(): { running: number; waiting: number } {
    return { running: this.#turns.busyCount, waiting: this.#turns.waitingCount };
  }

  async start<Input, Output>(
    task: OffloadTask<Input, Output>,
    input: Input,
    { tenantNo, signal }: RunOptions,
  ): Promise<JsonText<Output>> {
    const release = await this.#turns.acquire(tenantNo, signal);
    const { port1, port2 } = new MessageChannel();
    const request = { name: task.name, input, store: this.#store, port: port2 };
    const done = this.#pool.run(task.kind, request, { transfer: [port2] }).finally(release);
    const pieces = receiveChunks(port1, {
      done: done.catch((error) => {
        if (error instanceof StoreFault && error.reason === 'damaged') this.#onDamage(error.detail ?? error.message);
        throw toClientError(task, error);
      }),
      signal,
      idleMs: this.#idleMs,
    });
    return new JsonText(await withFirst(pieces));
  }

  async close(): Promise<void> {
    this.#turns.close(new Error('the read pool is closed'));
    await this.#pool.close();
  }
}

/** The error that is shown to the client. */
function toClientError(task: OffloadTask<never>, error: unknown): unknown {
  if (error instanceof WorkerCrashError) return new TooHeavyError(task.kind);
  if (!(error instanceof WorkerUnavailableError)) return error;
  return new AppError('unavailable', 'No worker thread can be started to read this: try again later.', {
    retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
    cause: error,
  });
}
