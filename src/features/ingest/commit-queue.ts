import { FairQueue } from './fair-queue.ts';
import { overloaded, RateMeter } from './overload.ts';

/** Timer as an argument, so that tests need no wall clock. */
export interface Timer {
  after(ms: number, run: () => void): void;
  /** Monotonic milliseconds. */
  now(): number;
}

export const systemTimer: Timer = {
  after: (ms, run) => void (ms > 0 ? setTimeout(run, ms) : setImmediate(run)),
  now: () => performance.now(),
};

export interface CommitQueueOptions<Item> {
  /** Commits all items in one transaction; a rejection rejects every waiter of the slice. */
  commit(items: Item[]): Promise<void>;
  /** Cost of a commit, in rows. */
  weigh(item: Item): number;
  /** Number of spans of the item; at most `maxSpans` may be queued. */
  spansOf(item: Item): number;
  /** Pause after a commit in which the next group is collected; later items do not wait. */
  waitMs: number;
  /** Maximum queued spans; a tenant gets its share. */
  maxSpans: number;
  timer: Timer;
}

interface Waiter {
  tenantNo: number;
  left: number;
  hasFailed: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

interface Entry<Item> {
  item: Item;
  waiter: Waiter;
}

/** Target duration of a transaction, because other requests wait for it. */
const SLICE_MS = 15;
const SLICE_WEIGHT = { min: 128, initial: 256, max: 2_048 };
/** Weight of one tenant's turn. */
const QUANTUM = 64;
const FIRST_RATE_PER_MS = 5;

/** Weight of the next transaction after one of `weight` took `ms`. */
export function nextSliceWeight(current: number, weight: number, ms: number): number {
  const aim =
    ms > SLICE_MS ? (weight * SLICE_MS) / ms : weight >= current && ms < SLICE_MS / 2 ? current * 1.5 : current;
  return Math.round(Math.max(SLICE_WEIGHT.min, Math.min(SLICE_WEIGHT.max, aim)));
}

/**
 * Groups the writes of many requests into few transactions, because a disk flush costs more than the rows, and splits large
 * requests into several, so that others are served in between. Round-robin between tenants.
 */
export class CommitQueue<Item> {
  readonly #options: CommitQueueOptions<Item>;
  readonly #queue = new FairQueue<Entry<Item>>(QUANTUM);
  readonly #rate = new RateMeter(FIRST_RATE_PER_MS);
  readonly #spans = new Map<number, number>();
  #depth = 0;
  #writingWeight = 0;
  #sliceWeight = SLICE_WEIGHT.initial;
  #isTimerSet = false;
  #lastCommitAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;

  constructor(options: CommitQueueOptions<Item>) {
    this.#options = options;
  }

  /** Resolves after the items are committed. */
  add(tenantNo: number, items: readonly Item[]): Promise<void> {
    const { weigh, spansOf, timer } = this.#options;
    if (items.length === 0) return Promise.resolve();
    const now = timer.now();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { tenantNo, left: items.length, hasFailed: false, resolve, reject };
      for (const item of items) {
        this.#queue.push(tenantNo, { item, waiter }, weigh(item), now);
        this.#count(tenantNo, spansOf(item));
      }
      this.#schedule();
    });
  }

  /** Spans that are queued or being written. */
  get depth(): number {
    return this.#depth;
  }

  /** Age of the oldest item. */
  oldestMs(): number {
    const oldest = this.#queue.oldestAt();
    return oldest === null ? 0 : this.#options.timer.now() - oldest;
  }

  /** Estimated wait of an item that the tenant adds now. */
  waitMs(tenantNo: number): number {
    return this.#rate.msFor(this.#writingWeight + this.#queue.weightAhead(tenantNo, 1));
  }

  /** Rejects before decoding if the tenant has used its share of the queue. @throws AppError `backpressure` */
  assertCapacity(tenantNo: number): void {
    const own = this.#spans.get(tenantNo) ?? 0;
    const tenants = this.#spans.size + (own === 0 ? 1 : 0);
    if (own > 0 && own >= this.#options.maxSpans / tenants) throw overloaded(this.waitMs(tenantNo));
  }

  /** Commits queued items. */
  async flush(): Promise<void> {
    while (this.#queue.weight > 0 || this.#writing !== null) await this.#write(true);
  }

  #count(tenantNo: number, spans: number): void {
    this.#depth += spans;
    const own = (this.#spans.get(tenantNo) ?? 0) + spans;
    if (own === 0) this.#spans.delete(tenantNo);
    else this.#spans.set(tenantNo, own);
  }

  #schedule(): void {
    const { timer, waitMs } = this.#options;
    if (this.#writing !== null) return;
    if (this.#queue.weight >= this.#sliceWeight) return void this.#write(false);
    if (this.#isTimerSet) return;
    this.#isTimerSet = true;
    timer.after(Math.max(0, this.#lastCommitAt + waitMs - timer.now()), () => {
      this.#isTimerSet = false;
      void this.#write(false);
    });
  }

  #write(isFlush: boolean): Promise<void> {
    this.#writing ??= this.#writeSlices(isFlush).finally(() => {
      this.#writing = null;
      if (this.#queue.weight > 0) this.#schedule();
    });
    return this.#writing;
  }

  /** Ends when the rest does not fill a slice: it is collected for the next one. */
  async #writeSlices(isFlush: boolean): Promise<void> {
    const { timer } = this.#options;
    let startedAt = timer.now();
    do {
      const { entries, weight } = this.#nextSlice();
      this.#writingWeight = weight;
      if (entries.length > 0) await this.#commit(entries);
      this.#writingWeight = 0;
      const ms = timer.now() - startedAt;
      this.#sliceWeight = nextSliceWeight(this.#sliceWeight, weight, ms);
      this.#lastCommitAt = timer.now();
      // Requests that arrived meanwhile are read now.
      if (this.#queue.weight > 0) await new Promise<void>((resolve) => timer.after(0, resolve));
      if (weight > 0) this.#rate.record(weight, timer.now() - startedAt);
      startedAt = timer.now();
    } while (this.#queue.weight >= (isFlush ? 1 : this.#sliceWeight));
  }

  #nextSlice(): { entries: Entry<Item>[]; weight: number } {
    const { weigh, spansOf } = this.#options;
    const entries: Entry<Item>[] = [];
    let weight = 0;
    while (weight < this.#sliceWeight) {
      const entry = this.#queue.take();
      if (entry === null) break;
      if (entry.waiter.hasFailed) {
        this.#count(entry.waiter.tenantNo, -spansOf(entry.item));
        continue;
      }
      entries.push(entry);
      weight += weigh(entry.item);
    }
    return { entries, weight };
  }

  async #commit(entries: readonly Entry<Item>[]): Promise<void> {
    const { commit, spansOf } = this.#options;
    try {
      await commit(entries.map(({ item }) => item));
      for (const { waiter } of entries) {
        waiter.left -= 1;
        if (waiter.left === 0) waiter.resolve();
      }
    } catch (error) {
      for (const { waiter } of entries) {
        waiter.hasFailed = true;
        waiter.reject(error);
      }
    } finally {
      for (const { item, waiter } of entries) this.#count(waiter.tenantNo, -spansOf(item));
    }
  }
}
