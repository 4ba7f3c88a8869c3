import { AppError } from '../core/app-error.ts';

interface FaultText {
  /** Text after the path. */
  problem: string;
  /** Complete sentences. */
  remedy: string;
}

const RESTORE =
  'Stop every server of this folder, move the file, its `-wal` and its `-shm` away, and restore a copy (a backup, or a `misstep.db.before-….bak` beside it). `sqlite3 FILE .recover` extracts what is still readable.';
const OWNER =
  'Run Misstep as the user that owns the data folder, or correct owner and permissions with `chown -R` and `chmod -R u+rwX`.';

/** Every reason why a store cannot be used, and the remedy. docs/data-folder.md explains each. */
export const STORE_FAULTS = {
  damaged: { problem: 'is damaged', remedy: RESTORE },
  not_a_database: { problem: 'is not a database', remedy: RESTORE },
  emptied: { problem: 'is empty, but this folder holds a store', remedy: RESTORE },
  database_missing: {
    problem: 'does not exist, but this folder holds a store',
    remedy:
      'Mount the volume that holds it, or restore a copy of it. To start a new store instead, delete the file `store-id` in this folder.',
  },
  foreign_database: {
    problem: 'is the database of another program',
    remedy: 'Move it away, or name another folder with --data or MISSTEP_DATA.',
  },
  other_store: {
    problem: 'belongs to another store than this folder',
    remedy:
      'Put the right database back. If the replacement is intended, delete the file `store-id` in this folder and start again.',
  },
  other_owner: { problem: 'belongs to another user', remedy: OWNER },
  symbolic_link: {
    problem: 'is a symbolic link',
    remedy:
      'Move the file that it points to here; to keep data elsewhere, name that folder with --data or MISSTEP_DATA.',
  },
  not_a_file: { problem: 'is not a regular file', remedy: 'Move it away; Misstep creates the file that it needs.' },
  not_a_folder: { problem: 'is not a folder', remedy: 'Name a folder with --data or MISSTEP_DATA.' },
  shared_folder: {
    problem: 'is writable by other users',
    remedy: 'Name a folder with --data or MISSTEP_DATA that only this user can write to.',
  },
  cannot_create: {
    problem: 'cannot be created',
    remedy: 'Name a folder with --data or MISSTEP_DATA that can be created and written to.',
  },
  read_only: {
    problem: 'is read-only',
    remedy:
      'Misstep must be able to write there even to read: SQLite keeps its write-ahead log beside the database. Mount the file system writable, or copy the folder to one that is.',
  },
  no_permission: { problem: 'cannot be used: permission denied', remedy: OWNER },
  cannot_restrict: {
    problem: 'stays readable by other users: this file system ignores permissions',
    remedy: 'Name a folder on another file system with --data or MISSTEP_DATA.',
  },
  name_too_long: { problem: 'is too long a path', remedy: 'Name a shorter path with --data or MISSTEP_DATA.' },
  link_loop: {
    problem: 'is a symbolic link that leads nowhere',
    remedy: 'Correct the link, or name another folder with --data or MISSTEP_DATA.',
  },
  disk_full: { problem: 'cannot be written: the disk is full', remedy: 'Free space on this file system.' },
  no_space_for_copy: {
    problem: 'cannot be migrated: there is no space for the copy that is made first',
    remedy: 'Free space on this file system, for example by moving older `.bak` files away.',
  },
  disk_error: {
    problem: 'cannot be read or written: the disk reports an error',
    remedy: 'Check the disk and the system log, then restore a copy if the file is damaged.',
  },
  in_use: {
    problem: 'is in use',
    remedy: 'Stop the server that uses it, or name another folder with --data or MISSTEP_DATA.',
  },
} as const satisfies Record<string, FaultText>;

export type StoreFaultReason = keyof typeof STORE_FAULTS;

/** Exporters drop a batch when asked to wait for 10 s or longer. */
const RETRY_AFTER_SECONDS = 5;

/** The store cannot be used. The message names the path, the problem and the remedy; it is for the operator only. */
export class StoreFault extends AppError {
  readonly reason: StoreFaultReason;
  readonly path: string;
  /** What SQLite or the system reports; null if nothing was passed. */
  readonly detail: string | null;

  /** @param detail appended to the problem, e.g. SQLite's message */
  constructor(reason: StoreFaultReason, path: string, extra: { detail?: string; cause?: unknown } = {}) {
    const { problem, remedy } = STORE_FAULTS[reason];
    const detail = extra.detail === undefined ? '' : ` (${extra.detail})`;
    super('store_unusable', `${path} ${problem}${detail}. ${remedy}`, {
      cause: extra.cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
    this.name = 'StoreFault';
    this.reason = reason;
    this.path = path;
    this.detail = extra.detail ?? null;
  }

  /** Without path and detail: for clients of the API. */
  get publicMessage(): string {
    return `The store cannot be used: its database ${STORE_FAULTS[this.reason].problem}. The operator finds the remedy in the log.`;
  }
}

const OF_ERRNO: Readonly<Record<string, StoreFaultReason>> = {
  EACCES: 'no_permission',
  EPERM: 'no_permission',
  EROFS: 'read_only',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  ENAMETOOLONG: 'name_too_long',
  ENOTDIR: 'not_a_folder',
  EEXIST: 'not_a_folder',
  EISDIR: 'not_a_file',
  ELOOP: 'link_loop',
  ENOENT: 'cannot_create',
  EIO: 'disk_error',
};

/** @returns the error itself if it is not a file system error */
export function faultOfErrno(error: unknown, path: string): unknown {
  if (error instanceof StoreFault) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const reason = typeof code === 'string' ? OF_ERRNO[code] : undefined;
  return reason === undefined ? error : new StoreFault(reason, path, { cause: error });
}

/** SQLite's code for invalid file content. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB|IOERR_CORRUPTFS)/.test(codeOf(error));
}

const OF_SQLITE: readonly (readonly [RegExp, StoreFaultReason])[] = [
  [/^SQLITE_(?:CORRUPT|IOERR_CORRUPTFS)/, 'damaged'],
  [/^SQLITE_NOTADB/, 'not_a_database'],
  [/^SQLITE_READONLY/, 'read_only'],
  [/^SQLITE_FULL/, 'disk_full'],
  [/^SQLITE_IOERR/, 'disk_error'],
  [/^SQLITE_(?:CANTOPEN|PERM|AUTH)/, 'no_permission'],
];

/** Maps errors that SQLite reports while a database is opened. @returns the error itself if it is none of these */
export function faultOfSqlite(error: unknown, path: string): unknown {
  if (error instanceof StoreFault) return error;
  const code = codeOf(error);
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
    return new AppError('busy', `${path} is locked by another process. Try again.`, { cause: error });
  const reason = OF_SQLITE.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined
    ? error
    : new StoreFault(reason, path, { detail: (error as Error).message, cause: error });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
