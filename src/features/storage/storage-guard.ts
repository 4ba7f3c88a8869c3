import type { AppError } from '../../core/app-error.ts';
import { type StorageFailureKind, storageFailureOf, storageUnavailable } from '../../store/storage-failure.ts';
import { type DataDisk, RESERVE_BYTES } from './data-disk.ts';

/** `low_space`: less is free than the floor. The others are errors of a write. */
export type StorageProblem = 'low_space' | StorageFailureKind;

export interface StorageState {
  /** Null: everything can be stored. */
  trouble: StorageProblem | null;
  /** Code of the last write error; null if there was none. */
  code: string | null;
  /** Null if the file system does not report it. */
  freeBytes: number | null;
  /** Free space below which writes are rejected. */
  floorBytes: number;
  /** Writes that failed since the start. */
  failureCount: number;
}

export interface StorageGuardOptions {
  /** Null for a database in memory. */
  disk: DataDisk | null;
  /** Writes are rejected while less is free; 0 disables the floor. A log that is longer than the reserve raises it. */
  floorBytes: number;
  /** Writes something small to the database. @throws the error of the store */
  tryWrite(): Promise<void>;
  /** Monotonic milliseconds. */
  monotonicMs(): number;
  /** Called once when writes are first rejected, and once when they are accepted again. */
  onChange(state: StorageState): void;
}

const CHECK_EVERY_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** A failure within this time after a recovery delays the next attempt longer. */
const RELAPSE_MS = 60_000;
/** Free space after the reserve is filled again; with less, the next writes would fail at once. */
const SPARE_BYTES = 8 * 1024 * 1024;

/**
 * Decides whether the service can store data: it rejects writes below the floor of free space, and after a write failed
 * until one succeeds again. A reserve file is released when the disk is full, so that deletions have room.
 */
export class StorageGuard {
  readonly #options: StorageGuardOptions;
  #trouble: StorageProblem | null = null;
  #code: string | null = null;
  #freeBytes: number | null = null;
  #floorBytes: number;
  #failureCount = 0;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #recoveredAtMs = Number.NEGATIVE_INFINITY;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #retryMs = FIRST_RETRY_MS;

  constructor(options: StorageGuardOptions) {
    this.#options = options;
    this.#floorBytes = options.floorBytes;
  }

  state(): StorageState {
    this.#checkSpace();
    return {
      trouble: this.#trouble,
      code: this.#code,
      freeBytes: this.#freeBytes,
      floorBytes: this.#floorBytes,
      failureCount: this.#failureCount,
    };
  }

  isWritable(): boolean {
    this.#checkSpace();
    return this.#trouble === null;
  }

  /** @throws AppError `storage_unavailable` */
  assertWritable(): void {
    const refusal = this.refusal();
    if (refusal !== null) throw refusal;
  }

  /** Why nothing can be stored now; null if it can. */
  refusal(): AppError | null {
    if (this.isWritable() || this.#trouble === null) return null;
    if (this.#trouble !== 'low_space') return storageUnavailable(this.#trouble, this.#code ?? '');
    return storageUnavailable('full', `${this.#freeBytes} bytes are free, the minimum is ${this.#floorBytes}`);
  }

  /** Records the error of a write. @returns whether it is a failure of the storage */
  recordFailure(thrown: unknown): boolean {
    const failure = storageFailureOf(thrown);
    if (failure === null) return false;
    this.#failureCount += 1;
    if (failure.kind === 'full') this.#releaseReserve();
    if (this.#trouble === null || this.#trouble === 'low_space') this.#scheduleRetry();
    this.#checkedAtMs = Number.NEGATIVE_INFINITY;
    this.#change(failure.kind, failure.code);
    return true;
  }

  /** Checks whether writes work again, and keeps the reserve filled. The server calls it every second. */
  async maintain(): Promise<void> {
    const { disk } = this.#options;
    this.#checkSpace();
    if (disk === null || this.#options.monotonicMs() < this.#retryAtMs) return;
    const hasRoom = this.#freeBytes === null || this.#freeBytes >= RESERVE_BYTES + SPARE_BYTES;
    const isFailing = this.#trouble !== null && this.#trouble !== 'low_space';
    if (!disk.hasReserve() && !hasRoom) return;
    try {
      if (!disk.hasReserve()) await disk.fillReserve();
      if (isFailing) await this.#options.tryWrite();
    } catch (error) {
      this.recordFailure(error);
      this.#delayRetry();
      return;
    }
    if (isFailing) this.#recover();
  }

  #checkSpace(): void {
    const { disk, floorBytes, monotonicMs } = this.#options;
    const now = monotonicMs();
    if (disk === null || now - this.#checkedAtMs < CHECK_EVERY_MS) return;
    this.#checkedAtMs = now;
    this.#freeBytes = disk.freeBytes();
    this.#floorBytes = floorFor(disk.logBytes(), floorBytes);
    if (this.#trouble !== null && this.#trouble !== 'low_space') return;
    const isLow = isBelowFloor(this.#freeBytes, this.#floorBytes, this.#trouble === 'low_space');
    this.#change(isLow ? 'low_space' : null, null);
  }

  #recover(): void {
    this.#recoveredAtMs = this.#options.monotonicMs();
    const isLow = isBelowFloor(this.#freeBytes, this.#floorBytes, true);
    this.#change(isLow ? 'low_space' : null, null);
  }

  #scheduleRetry(): void {
    const now = this.#options.monotonicMs();
    const isRelapse = now - this.#recoveredAtMs < RELAPSE_MS;
    this.#retryMs = isRelapse ? Math.min(MAX_RETRY_MS, this.#retryMs * 2) : FIRST_RETRY_MS;
    this.#retryAtMs = now + this.#retryMs;
  }

  #delayRetry(): void {
    this.#retryAtMs = this.#options.monotonicMs() + this.#retryMs;
  }

  #releaseReserve(): void {
    try {
      this.#options.disk?.releaseReserve();
    } catch {
      // A read-only folder keeps the file; nothing can be deleted there either.
    }
  }

  #change(trouble: StorageProblem | null, code: string | null): void {
    const wasWritable = this.#trouble === null;
    this.#trouble = trouble;
    this.#code = code;
    if (wasWritable !== (trouble === null)) this.#options.onChange(this.state());
  }
}

/**
 * The reserve has room for a short log. A longer one needs its size again in the database file, and the same for what is
 * committed until the next check.
 */
function floorFor(logBytes: number, floorBytes: number): number {
  return logBytes > RESERVE_BYTES ? Math.max(floorBytes, 2 * logBytes) : floorBytes;
}

/** Writes resume only with a tenth more than the floor, so that they do not stop and start with every request. */
export function isBelowFloor(freeBytes: number | null, floorBytes: number, wasBelow: boolean): boolean {
  if (freeBytes === null || floorBytes === 0) return false;
  return freeBytes < (wasBelow ? floorBytes * 1.1 : floorBytes);
}
