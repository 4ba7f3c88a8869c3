import type { Timer } from './commit-queue.ts';
import { FairQueue } from './fair-queue.ts';
import { MAX_WAIT_MS, overloaded, RateMeter } from './overload.ts';

export interface PrepareTask<Result> {
  tenantNo: number;
  bytes: number;
  /** No sender waits: lowest priority, without a time limit. */
  isBackground: boolean;
  /** @returns the result, and the duration without the start of a worker */
  run(): Promise<{ value: Result; workMs: number }>;
}

interface Waiting {
  tenantNo: number;
  bytes: number;
  isBackground: boolean;
  /** Null after a rejection, so that its body is released. */
  start: (() => Promise<number | null>) | null;
  hasStarted: boolean;
}

/** Weight of one tenant's turn. */
const QUANTUM_BYTES = 1024 * 1024;
/** Per worker, until there are measurements: the rate of a busy machine. */
const FIRST_BYTES_PER_MS = 5_000;

/**
 * Runs as many bodies concurrently as there are workers. Round-robin between tenants, and no tenant has all workers, so that
 * a large body of one does not delay the others.
 */
export class PrepareQueue {
  readonly #slots: number;
  readonly #timer: Timer;
  readonly #live = new FairQueue<Waiting>(QUANTUM_BYTES);
  readonly #background = new FairQueue<Waiting>(QUANTUM_BYTES);
  readonly #rate = new RateMeter(FIRST_BYTES_PER_MS);
  readonly #running = new Map<number, number>();
  #runningCount = 0;
  #runningBackground = 0;
  #runningBytes = 0;

  constructor(slots: number, timer: Timer) {
    this.#slots = slots;
    this.#timer = timer;
  }

  /** Resolves with the result of the task. @throws AppError `backpressure` if it waited too long */
  add<Result>({ run, ...task }: PrepareTask<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { ...task, start: () => settle(run, resolve, reject), hasStarted: false };
      const queue = task.isBackground ? this.#background : this.#live;
      const now = this.#timer.now();
      queue.push(task.tenantNo, waiting, task.bytes, now);
      this.#dispatch();
      if (task.isBackground || waiting.hasStarted) return;
      this.#timer.after(MAX_WAIT_MS, () => {
        if (waiting.hasStarted) return;
        waiting.start = null;
        reject(overloaded(this.waitMs(task.tenantNo, task.bytes)));
      });
    });
  }

  get bytes(): number {
    return this.#live.weight + this.#background.weight + this.#runningBytes;
  }

  oldestMs(): number {
    const oldest = this.#live.oldestAt();
    return oldest === null ? 0 : this.#timer.now() - oldest;
  }

  /** Estimated wait of a body that arrives now. */
  waitMs(tenantNo: number, bytes: number): number {
    if (this.#live.weight === 0 && this.#mayRun(tenantNo)) return 0;
    const ahead = this.#live.weightAhead(tenantNo, bytes) + this.#runningBytes / 2;
    return this.#rate.msFor(ahead) / this.#slots;
  }

  #mayRun(tenantNo: number): boolean {
    return this.#runningCount < this.#slots && (this.#running.get(tenantNo) ?? 0) < Math.max(1, this.#slots - 1);
  }

  #dispatch(): void {
    while (this.#runningCount < this.#slots) {
      const mayRun = (tenantNo: number) => this.#mayRun(tenantNo);
      const hasRoom = this.#runningBackground < Math.max(1, this.#slots - 1);
      const next = this.#live.take(mayRun) ?? (hasRoom ? this.#background.take(mayRun) : null);
      if (next === null) return;
      next.hasStarted = true;
      if (next.start !== null) void this.#run(next, next.start);
    }
  }

  async #run({ tenantNo, bytes, isBackground }: Waiting, start: () => Promise<number | null>): Promise<void> {
    this.#countRunning(tenantNo, bytes, isBackground, 1);
    const workMs = await start();
    this.#countRunning(tenantNo, bytes, isBackground, -1);
    if (workMs !== null) this.#rate.record(bytes, workMs);
    this.#dispatch();
  }

  #countRunning(tenantNo: number, bytes: number, isBackground: boolean, sign: 1 | -1): void {
    const own = (this.#running.get(tenantNo) ?? 0) + sign;
    if (own === 0) this.#running.delete(tenantNo);
    else this.#running.set(tenantNo, own);
    this.#runningCount += sign;
    this.#runningBackground += isBackground ? sign : 0;
    this.#runningBytes += sign * bytes;
  }
}

/** @returns the duration; null if it failed */
async function settle<Result>(
  run: PrepareTask<Result>['run'],
  resolve: (value: Result) => void,
  reject: (error: unknown) => void,
): Promise<number | null> {
  try {
    const { value, workMs } = await run();
    resolve(value);
    return workMs;
  } catch (error) {
    reject(error);
    return null;
  }
}
