import { AppError, type ErrorCode } from '../core/app-error.ts';

/** Why writes fail: no space, a folder or file that is not writable, or a failing device. */
export type StorageFailureKind = 'full' | 'read_only' | 'failing';

export interface StorageFailure {
  kind: StorageFailureKind;
  /** As SQLite or the operating system spells it, e.g. `SQLITE_FULL`, `ENOSPC`. */
  code: string;
}

const KINDS: readonly (readonly [RegExp, StorageFailureKind])[] = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)$/, 'full'],
  [/^(?:SQLITE_READONLY(?:_\w+)?|EROFS)$/, 'read_only'],
  [/^(?:SQLITE_IOERR(?:_\w+)?|SQLITE_CANTOPEN(?:_\w+)?|EIO|ESTALE)$/, 'failing'],
];
const LOCKED = /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/;
const OUT_OF_DESCRIPTORS = /^E[MN]FILE$/;
const MAX_CAUSES = 5;
const SENTENCES: Readonly<Record<StorageFailureKind, string>> = {
  full: 'The disk is full',
  read_only: 'The data cannot be written: it is read-only',
  failing: 'The disk or the file system reports an error',
};
/** Exporters drop a batch when asked to wait for 10 s or longer. */
const RETRY_AFTER_SECONDS = 5;

/** The storage failure behind an error, also as the cause of another error; null for other errors. */
export function storageFailureOf(thrown: unknown): StorageFailure | null {
  for (const error of causesOf(thrown)) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown };
    // A file watcher that runs out of inotify watches also reports ENOSPC.
    if (typeof code !== 'string' || syscall === 'watch') continue;
    const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1];
    if (kind !== undefined) return { kind, code };
  }
  return null;
}

/**
 * The error for a caller if the store, an upload, the spool or a file could not be written: `storage_unavailable`, or
 * `busy` if another process holds the lock. Null for every other error, and for an AppError of another code than
 * `unavailable`.
 */
export function toStorageError(thrown: unknown): AppError | null {
  if (thrown instanceof AppError && thrown.code !== 'unavailable') return null;
  const failure = storageFailureOf(thrown);
  if (failure !== null) return storageUnavailable(failure.kind, failure.code, thrown);
  const more = { retryAfterSeconds: 1, cause: thrown };
  if (hasCode(thrown, LOCKED))
    return new AppError('busy', 'Another process holds the database; try again shortly.', more);
  if (hasCode(thrown, OUT_OF_DESCRIPTORS)) return new AppError('unavailable', 'Too many files are open.', more);
  return null;
}

export function storageUnavailable(kind: StorageFailureKind, detail: string, cause?: unknown): AppError {
  return new AppError('storage_unavailable', `${SENTENCES[kind]} (${detail}); nothing is stored until that changes.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

const OF_THE_STORE: readonly ErrorCode[] = ['storage_unavailable', 'store_unusable', 'busy'];

/** A fault of the store that is not caused by the current work: it is locked, full, failing or damaged. */
export function isTransient(thrown: unknown): boolean {
  if (thrown instanceof AppError && OF_THE_STORE.includes(thrown.code)) return true;
  return hasCode(thrown, LOCKED) || storageFailureOf(thrown) !== null;
}

function hasCode(thrown: unknown, pattern: RegExp): boolean {
  return causesOf(thrown).some(({ code }) => typeof code === 'string' && pattern.test(code));
}

function causesOf(thrown: unknown): { code?: unknown }[] {
  const causes: { code?: unknown }[] = [];
  let error = thrown;
  while (typeof error === 'object' && error !== null && causes.length < MAX_CAUSES) {
    causes.push(error as { code?: unknown });
    error = (error as { cause?: unknown }).cause;
  }
  return causes;
}
