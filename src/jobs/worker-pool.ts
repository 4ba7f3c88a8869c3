import type { Transferable } from 'node:worker_threads';
import { WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import { FairShare } from '../features/_kit/fair-share.ts';
import { NO_OWNER, type RunningTask, type TaskPriority, TaskQueue } from './task-queue.ts';
import { type TaskMap, toError, type WorkerReply } from './worker-messages.ts';
import { type WorkerEntry, WorkerThread } from './worker-thread.ts';

export interface WorkerPoolOptions<Tasks extends TaskMap<Tasks>> {
  /** Used in error messages, e.g. `analysis`. */
  name: string;
  /** Worker threads; they start on first use. */
  size: number;
  entry: WorkerEntry;
  /** A task that takes longer is stopped with its worker, which is replaced. */
  timeoutMs: { readonly [Kind in keyof Tasks]: number };
  /** Memory that a worker shares with the pool; `memory` of its `workerData`. */
  createMemory?(): SharedArrayBuffer;
  /** Whether this output leaves the worker unusable, so that it is replaced. */
  isSpent?<Kind extends keyof Tasks>(kind: Kind, output: Tasks[Kind]['output']): boolean;
  /** Unix milliseconds. */
  now?(): number;
}

export interface TaskOptions extends TaskPriority {
  /** Precedes the queued tasks. */
  isFirst?: boolean;
  /** Moved to the worker instead of copied. */
  transfer?: readonly Transferable[];
  /** Removes the task if it is queued; the output of a running task is dropped. */
  signal?: AbortSignal;
}

/** Whether workers can run. `since` is in Unix milliseconds; `lastError` is kept after a recovery. */
export interface WorkerPoolState {
  isAvailable: boolean;
  since: number | null;
  lastError: string | null;
}

/** The task crashed its worker, or exceeded its time limit. */
export class WorkerCrashError extends Error {
  /** What the worker shared with the pool. */
  readonly memory: SharedArrayBuffer;

  constructor(message: string, memory: SharedArrayBuffer) {
    super(message);
    this.name = 'WorkerCrashError';
    this.memory = memory;
  }
}

interface Task {
  id: number;
  kind: string;
  input: unknown;
  transfer: readonly Transferable[];
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

interface Running extends RunningTask {
  task: Task;
  timer: NodeJS.Timeout;
}

const START_TIMEOUT_MS = 30_000;
const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 5_000;

/**
 * Runs typed tasks on worker threads, fair between owners and live before historical. A task that ends its worker is rejected with `WorkerCrashError`. If no
 * worker can start, every task is rejected with `WorkerUnavailableError` until one starts; the pool retries by itself.
 */
export class WorkerPool<Tasks extends TaskMap<Tasks>> {
  readonly #options: WorkerPoolOptions<Tasks>;
  readonly #threads = new Map<WorkerThread, Running | null>();
  /** Recent task time of each owner. */
  readonly share = new FairShare<number>();
  readonly #waiting = new TaskQueue<Task>(this.share);
  #lastId = 0;
  #isClosed = false;
  #state: WorkerPoolState = { isAvailable: true, since: null, lastError: null };
  #failedStarts = 0;
  #restart: NodeJS.Timeout | null = null;

  constructor(options: WorkerPoolOptions<Tasks>) {
    this.#options = options;
  }

  get state(): WorkerPoolState {
    return this.#state;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** @throws WorkerUnavailableError, WorkerCrashError, AppError, or Error for an error that the task itself threw */
  run<Kind extends keyof Tasks & string>(
    kind: Kind,
    input: Tasks[Kind]['input'],
    { isFirst = false, transfer = [], signal, owner, isHistory }: TaskOptions = {},
  ): Promise<Tasks[Kind]['output']> {
    if (this.#isClosed) return Promise.reject(this.#closedError());
    if (!this.#state.isAvailable) return Promise.reject(this.#unavailableError());
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const task: Task = { id: this.#lastId, kind, input, transfer, resolve, reject };
      this.#waiting.add(task, { owner, isHistory }, isFirst);
      if (signal) this.#rejectOnAbort(task, signal);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#restart) clearTimeout(this.#restart);
    this.#rejectWaiting(this.#closedError());
    const threads = [...this.#threads.keys()];
    for (const thread of threads) this.#release(thread)?.reject(this.#closedError());
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #rejectOnAbort(task: Task, signal: AbortSignal): void {
    const onAbort = () => {
      this.#waiting.remove(task);
      task.reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const { resolve, reject } = task;
    const release = () => signal.removeEventListener('abort', onAbort);
    task.resolve = (output) => {
      release();
      resolve(output);
    };
    task.reject = (error) => {
      release();
      reject(error);
    };
  }

  #dispatch(): void {
    for (const [thread, running] of this.#threads) {
      if (running !== null || !thread.isReady) continue;
      const next = this.#waiting.take(this.#running(), this.#options.size, performance.now());
      if (next === null) break;
      this.#start(thread, next.item, next);
    }
    const starting = [...this.#threads.keys()].filter((thread) => !thread.isReady).length;
    for (let missing = this.#waiting.size - starting; missing > 0; missing -= 1) if (!this.#openThread()) return;
  }

  /** @returns false if there is no capacity, or if a start failed just now */
  #openThread(): boolean {
    if (this.#isClosed || this.#restart !== null || this.#threads.size >= this.#options.size) return false;
    const memory = this.#options.createMemory?.() ?? new SharedArrayBuffer(0);
    try {
      const thread: WorkerThread = new WorkerThread(this.#options.entry, memory, {
        onReply: (reply) => this.#receive(thread, reply),
        onEnd: (error) => this.#drop(thread, error.message),
      });
      this.#threads.set(thread, null);
      const timer = setTimeout(() => {
        if (!thread.isReady) thread.end(new Error(`the worker did not start within ${START_TIMEOUT_MS} ms`));
      }, START_TIMEOUT_MS);
      timer.unref();
      return true;
    } catch (error) {
      this.#recordFailedStart(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  #running(): Running[] {
    return [...this.#threads.values()].filter((running) => running !== null);
  }

  #start(thread: WorkerThread, task: Task, { owner, isHistory }: TaskPriority): void {
    const timeoutMs = this.#options.timeoutMs[task.kind as keyof Tasks];
    const timer = setTimeout(
      () => thread.end(new Error(`the ${this.#options.name} took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    this.#threads.set(thread, { task, timer, owner, isHistory, startedAt: performance.now() });
    try {
      thread.send({ id: task.id, kind: task.kind, input: task.input }, task.transfer);
    } catch (error) {
      // Input that cannot be cloned to another thread.
      this.#release(thread)?.reject(error);
    }
  }

  #receive(thread: WorkerThread, reply: WorkerReply): void {
    if (reply === 'ready') this.#recordStart();
    else this.#finish(thread, reply);
    this.#dispatch();
  }

  #finish(thread: WorkerThread, reply: Exclude<WorkerReply, 'ready'>): void {
    const task = this.#release(thread);
    if (task?.id !== reply.id) return;
    if ('failure' in reply) {
      task.reject(toError(reply.failure));
      return;
    }
    task.resolve(reply.output);
    if (this.#options.isSpent?.(task.kind as keyof Tasks, reply.output as Tasks[keyof Tasks]['output'])) {
      this.#threads.delete(thread);
      void thread.terminate();
    }
  }

  #release(thread: WorkerThread): Task | null {
    const running = this.#threads.get(thread);
    if (!running) return null;
    clearTimeout(running.timer);
    const now = performance.now();
    this.share.charge(running.owner ?? NO_OWNER, now - running.startedAt, now);
    this.#threads.set(thread, null);
    return running.task;
  }

  #drop(thread: WorkerThread, message: string): void {
    const task = this.#release(thread);
    this.#threads.delete(thread);
    if (this.#isClosed) return;
    if (!thread.isReady) this.#recordFailedStart(message);
    task?.reject(new WorkerCrashError(message, thread.memory));
    this.#dispatch();
  }

  #recordStart(): void {
    this.#failedStarts = 0;
    if (!this.#state.isAvailable) this.#state = { ...this.#state, isAvailable: true, since: null };
  }

  /** Other workers process the queue; without them, nothing may stay queued. */
  #recordFailedStart(message: string): void {
    const hasWorkers = [...this.#threads.keys()].some((thread) => thread.isReady);
    const since = this.#state.since ?? this.#options.now?.() ?? Date.now();
    this.#state = { isAvailable: hasWorkers, since: hasWorkers ? null : since, lastError: message };
    if (!hasWorkers) this.#rejectWaiting(this.#unavailableError());
    this.#scheduleRestart();
  }

  #scheduleRestart(): void {
    if (this.#restart !== null) return;
    const delayMs = Math.min(MAX_RESTART_MS, FIRST_RESTART_MS * 2 ** this.#failedStarts);
    this.#failedStarts += 1;
    this.#restart = setTimeout(() => {
      this.#restart = null;
      // An unavailable pool has no tasks: only a worker that starts proves that the machine has recovered.
      if (!this.#state.isAvailable) this.#openThread();
      else this.#dispatch();
    }, delayMs);
    this.#restart.unref();
  }

  #rejectWaiting(error: Error): void {
    for (const task of this.#waiting.removeAll()) task.reject(error);
  }

  #unavailableError(): WorkerUnavailableError {
    return new WorkerUnavailableError(`no ${this.#options.name} worker can start: ${this.#state.lastError}`);
  }

  #closedError(): Error {
    return new Error(`the ${this.#options.name} pool is closed`);
  }
}
