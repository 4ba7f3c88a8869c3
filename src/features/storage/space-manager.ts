import { isTransient } from '../../store/storage-failure.ts';
import type { StoreSpace, StoreSpaceControl } from '../../store/store-space.ts';
import { CheckpointBackoff } from './checkpoint-backoff.ts';

export interface SpaceManagerOptions {
  space: Pick<StoreSpaceControl, 'read' | 'release'>;
  /** Checkpoints the log. @param truncates also truncates its file @returns whether no page of it is left */
  checkpointLog(truncates: boolean): Promise<boolean>;
  /** Changes after each write. */
  changeMark(): string;
  monotonicMs(): number;
  /** Lets other work run between two slices. */
  nextTurn(): Promise<void>;
  /** Called once when a reader keeps the log from being emptied, and once when it is short again. */
  onLongLog(logBytes: number, isLong: boolean): void;
}

/**
 * This many free pages, and 2 % of the file, are kept for new data: returning and reallocating them would only cause
 * writes.
 */
const KEPT_FREE_PAGES = 64;
const KEPT_FREE_SHARE = 0.02;
/** One slice; other work waits for at most about this long. */
const SLICE_MS = 8;
/** All slices of one step, which runs once a second. */
const STEP_MS = 400;
const FIRST_SLICE_PAGES = 16;
const MAX_SLICE_PAGES = 512;
/** Steps without a write after which the log is emptied. */
const IDLE_STEPS = 3;
const SHORT_LOG_BYTES = 64 * 1024;
/** Size that the log file keeps after a checkpoint; a larger one is checkpointed. */
const LARGEST_LOG_BYTES = 4 * 1024 * 1024;
export const LONG_LOG_BYTES = 256 * 1024 * 1024;

/** Gives free pages of the database back to the file system in short slices, and keeps the write-ahead log short. */
export class SpaceManager {
  readonly #options: SpaceManagerOptions;
  readonly #backoff = new CheckpointBackoff();
  #slicePages = FIRST_SLICE_PAGES;
  #seenMark = '';
  #idleSteps = 0;
  #isLogLong = false;

  constructor(options: SpaceManagerOptions) {
    this.#options = options;
  }

  /** One step; the server runs one a second. @throws the error of the store */
  async step(): Promise<void> {
    const { space, monotonicMs, nextTurn } = this.#options;
    const endMs = monotonicMs() + STEP_MS;
    const isIdle = this.#isIdle();
    let released = 0;
    for (let now = monotonicMs(); now < endMs; now = monotonicMs()) {
      const pages = Math.min(this.#slicePages, pagesToRelease(space.read()));
      if (pages <= 0 || !this.#release(pages)) break;
      released += pages;
      this.#slicePages = nextSlicePages(this.#slicePages, monotonicMs() - now);
      await nextTurn();
    }
    const { logBytes } = space.read();
    const isDue = (isIdle && logBytes > SHORT_LOG_BYTES) || this.#isLogLong;
    // The file gets shorter only when the log is written into it.
    if (released > 0 || (isDue && this.#mayCheckpoint(logBytes))) await this.#checkpoint(true, logBytes);
    this.#watchLog(space.read().logBytes);
  }

  /** The server asks several times a second, because a log grows by tens of megabytes a second. */
  async keepLogShort(): Promise<void> {
    const { logBytes } = this.#options.space.read();
    if (logBytes > LARGEST_LOG_BYTES && this.#mayCheckpoint(logBytes)) await this.#checkpoint(false, logBytes);
  }

  #mayCheckpoint(logBytes: number): boolean {
    return this.#backoff.mayCheckpoint(logBytes, this.#options.monotonicMs());
  }

  async #checkpoint(truncates: boolean, logBytes: number): Promise<void> {
    const { space, checkpointLog, monotonicMs } = this.#options;
    let isDone = false;
    try {
      isDone = await checkpointLog(truncates);
    } finally {
      this.#backoff.recordAttempt(isDone, logBytes, space.read().logBytes, monotonicMs());
    }
  }

  /** @returns false while another process writes */
  #release(pages: number): boolean {
    try {
      this.#options.space.release(pages);
      return true;
    } catch (error) {
      if (isTransient(error)) return false;
      throw error;
    } finally {
      this.#seenMark = this.#options.changeMark();
    }
  }

  #isIdle(): boolean {
    const mark = this.#options.changeMark();
    this.#idleSteps = mark === this.#seenMark ? this.#idleSteps + 1 : 0;
    this.#seenMark = mark;
    return this.#idleSteps >= IDLE_STEPS;
  }

  #watchLog(logBytes: number): void {
    const isLong = logBytes > LONG_LOG_BYTES;
    if (isLong === this.#isLogLong) return;
    this.#isLogLong = isLong;
    this.#options.onLongLog(logBytes, isLong);
  }
}

/** Free pages beyond those that are kept for new data. */
export function pagesToRelease({ canShrink, pages, freePages }: StoreSpace): number {
  if (!canShrink) return 0;
  return freePages - Math.max(KEPT_FREE_PAGES, Math.ceil((pages - freePages) * KEPT_FREE_SHARE));
}

/** Adapts to the time of a slice: half as many pages after a long one, a quarter more after a short one. */
export function nextSlicePages(pages: number, durationMs: number): number {
  if (durationMs > SLICE_MS) return Math.max(1, Math.floor(pages / 2));
  return durationMs < SLICE_MS / 2 ? Math.min(MAX_SLICE_PAGES, Math.ceil(pages * 1.25)) : pages;
}
