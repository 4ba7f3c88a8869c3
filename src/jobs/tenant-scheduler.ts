import { AppError } from '../core/app-error.ts';

export interface TenantSchedulerOptions {
  /** Maximum concurrent work of all tenants. */
  places: number;
  /** Maximum concurrent work of one tenant. */
  share: number;
  /** Maximum queued work of one tenant and of all. */
  maxWaitingPerTenant: number;
  maxWaiting: number;
  /** Queued work is rejected after this time, before its client times out. */
  maxWaitMs: number;
}

interface Waiting {
  tenantNo: number;
  start(): void;
  reject(error: unknown): void;
}

const RETRY_SECONDS = 2;

/** Schedules work of tenants round-robin, so that no tenant waits behind another tenant's queue. */
export class TenantScheduler {
  readonly #options: TenantSchedulerOptions;
  readonly #waiting = new Map<number, Waiting[]>();
  readonly #busy = new Map<number, number>();
  /** Sequence number of the last turn of tenants that are busy or queued. */
  readonly #lastTurn = new Map<number, number>();
  #turns = 0;

  constructor(options: TenantSchedulerOptions) {
    this.#options = options;
  }

  get waitingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  get busyCount(): number {
    return [...this.#busy.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Resolves when it is the tenant's turn; the returned function releases the slot.
   * @throws AppError `backpressure`, or the reason of the signal
   */
  acquire(tenantNo: number, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { maxWaiting, maxWaitingPerTenant, maxWaitMs } = this.#options;
    const own = this.#waiting.get(tenantNo)?.length ?? 0;
    if (own >= maxWaitingPerTenant || this.waitingCount >= maxWaiting) return Promise.reject(queueFull());
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        this.#remove(entry);
        entry.reject(error);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = setTimeout(() => leave(queueFull()), maxWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        tenantNo,
        start: () => {
          settle();
          resolve(this.#occupy(tenantNo));
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#add(entry);
      this.#startNext();
    });
  }

  /** Rejects queued work. */
  close(error: Error): void {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const entry of all) entry.reject(error);
  }

  #add(entry: Waiting): void {
    const own = this.#waiting.get(entry.tenantNo);
    if (own) own.push(entry);
    else this.#waiting.set(entry.tenantNo, [entry]);
  }

  #remove(entry: Waiting): void {
    const rest = (this.#waiting.get(entry.tenantNo) ?? []).filter((other) => other !== entry);
    if (rest.length > 0) this.#waiting.set(entry.tenantNo, rest);
    else this.#waiting.delete(entry.tenantNo);
    this.#forget(entry.tenantNo);
  }

  #forget(tenantNo: number): void {
    if (!this.#waiting.has(tenantNo) && !this.#busy.has(tenantNo)) this.#lastTurn.delete(tenantNo);
  }

  #occupy(tenantNo: number): () => void {
    this.#busy.set(tenantNo, (this.#busy.get(tenantNo) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const remaining = (this.#busy.get(tenantNo) ?? 1) - 1;
      if (remaining > 0) this.#busy.set(tenantNo, remaining);
      else this.#busy.delete(tenantNo);
      this.#forget(tenantNo);
      this.#startNext();
    };
  }

  #startNext(): void {
    while (this.busyCount < this.#options.places) {
      const tenantNo = this.#nextTenant();
      if (tenantNo === undefined) return;
      const [next, ...rest] = this.#waiting.get(tenantNo)!;
      if (rest.length > 0) this.#waiting.set(tenantNo, rest);
      else this.#waiting.delete(tenantNo);
      this.#turns += 1;
      this.#lastTurn.set(tenantNo, this.#turns);
      next!.start();
    }
  }

  /** The tenant with the oldest last turn that is below its share. */
  #nextTenant(): number | undefined {
    let next: number | undefined;
    for (const tenantNo of this.#waiting.keys()) {
      if ((this.#busy.get(tenantNo) ?? 0) >= this.#options.share) continue;
      if (next === undefined || this.#turnOf(tenantNo) < this.#turnOf(next)) next = tenantNo;
    }
    return next;
  }

  #turnOf(tenantNo: number): number {
    return this.#lastTurn.get(tenantNo) ?? 0;
  }
}

function queueFull(): AppError {
  return new AppError('backpressure', 'Too many large reads and checks are waiting: try again later.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
