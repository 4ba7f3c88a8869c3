import { AppError } from '../../core/app-error.ts';

/** Timer as an argument, so that tests need no wall clock. */
export interface Timer {
  after(ms: number, run: () => void): void;
  /** Milliseconds from any beginning; they never go back. */
  now(): number;
}

export const systemTimer: Timer = {
  after: (ms, run) => void (ms > 0 ? setTimeout(run, ms) : setImmediate(run)),
  now: () => performance.now(),
};

export interface GroupCommitterOptions<Item> {
  /** Commits all items in one transaction; a rejection rejects every waiter of the group. */
  commit(items: Item[]): Promise<void>;
  weigh(item: Item): number;
  /** Weight after which a group is committed without waiting. */
  groupWeight: number;
  /** Pause after a commit in which the next group gathers; what comes later than that waits for nothing. */
  waitMs: number;
  /** Weight that may wait in all; beyond it new work is refused. */
  maxWeight: number;
  timer: Timer;
}

export interface GroupCommitter<Item> {
  /** Resolves once the items are committed. @throws AppError `backpressure` when too much waits already */
  add(items: Item[]): Promise<void>;
  /** Weight that waits or is being written: the queue depth of the metrics. */
  depth(): number;
  /** Refuses before work is spent on decoding. @throws AppError `backpressure` */
  assertRoom(): void;
  /** Commits what waits. */
  flush(): Promise<void>;
}

interface Waiter<Item> {
  items: Item[];
  resolve(): void;
  reject(error: unknown): void;
}

/** Joins the writes of many requests into few transactions: a disk flush is the dear part, not the rows. */
export function createGroupCommitter<Item>(options: GroupCommitterOptions<Item>): GroupCommitter<Item> {
  let waiting: Waiter<Item>[] = [];
  let waitingWeight = 0;
  let writingWeight = 0;
  let isTimerSet = false;
  let lastCommitAt = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  function assertRoom(): void {
    if (waitingWeight + writingWeight < options.maxWeight) return;
    throw new AppError('backpressure', 'More is arriving than can be stored; try again shortly.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  function add(items: Item[]): Promise<void> {
    assertRoom();
    for (const item of items) waitingWeight += options.weigh(item);
    const committed = new Promise<void>((resolve, reject) => waiting.push({ items, resolve, reject }));
    if (waitingWeight >= options.groupWeight) void flush();
    else armTimer();
    return committed;
  }

  function armTimer(): void {
    if (isTimerSet) return;
    isTimerSet = true;
    options.timer.after(Math.max(0, lastCommitAt + options.waitMs - options.timer.now()), () => {
      isTimerSet = false;
      void flush();
    });
  }

  function flush(): Promise<void> {
    writing = writing.then(writeGroup);
    return writing;
  }

  async function writeGroup(): Promise<void> {
    if (waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    writingWeight = waitingWeight;
    waitingWeight = 0;
    try {
      await options.commit(group.flatMap((waiter) => waiter.items));
      for (const waiter of group) waiter.resolve();
    } catch (error) {
      for (const waiter of group) waiter.reject(error);
    } finally {
      lastCommitAt = options.timer.now();
      writingWeight = 0;
    }
  }

  return { add, depth: () => waitingWeight + writingWeight, assertRoom, flush };
}

/** Exporters drop a batch when asked to wait for 10 s or longer. */
const RETRY_AFTER_SECONDS = 2;
