import BetterSqlite3 from 'better-sqlite3';
import { isTransient } from './storage-failure.ts';
import { isDamage } from './store-fault.ts';

/** File size that a longer log is truncated to after a restart. */
export const KEPT_LOG_BYTES = 4 * 1024 * 1024;

/**
 * `advance`: checkpoints the log while others write, up to the last commit before the step. `restart`: no other thread of this
 * process writes meanwhile; checkpoints the rest and restarts the log. `truncate`: the same, and truncates the log's file.
 */
export type LogStep = 'advance' | 'restart' | 'truncate';

export interface LogStepResult {
  /** Log pages that are in the database file now. */
  writtenPages: number;
  /** Log pages that are not: committed since the step began, or retained for a reader. */
  waitingPages: number;
  /**
   * A `restart` or `truncate` left no page. False behind a reader of an older state, on a full disk, or with a concurrent
   * writer. A reader of the newest state only delays the restart of the log, until a step after that read.
   */
  isDone: boolean;
  /** SQLite's message about a damaged file; null otherwise. */
  damage: string | null;
}

/** The step did nothing: all pages of the log count as pending, so that no further step follows. */
export const NOTHING_WRITTEN: LogStepResult = {
  writtenPages: 0,
  waitingPages: Number.POSITIVE_INFINITY,
  isDone: false,
  damage: null,
};

/**
 * One step on its own connections, for a thread that may wait for the disk. Waits for no reader and no lock.
 * @throws Error if the file cannot be read for another reason than damage
 */
export function runLogStep(file: string, addonPath: string | undefined, step: LogStep): LogStepResult {
  try {
    return withDatabase(file, addonPath, (database) =>
      step === 'advance' ? advance(database, file, addonPath) : restartLog(database, step),
    );
  } catch (error) {
    // The log is unchanged, so nothing is lost.
    if (isTransient(error)) return NOTHING_WRITTEN;
    if (isDamage(error)) return { ...NOTHING_WRITTEN, damage: (error as Error).message };
    throw error;
  }
}

function withDatabase<Result>(
  file: string,
  addonPath: string | undefined,
  work: (database: BetterSqlite3.Database) => Result,
): Result {
  const database = new BetterSqlite3(file, { nativeBinding: addonPath, fileMustExist: true, timeout: 0 });
  try {
    database.pragma('synchronous = NORMAL');
    database.pragma('wal_autocheckpoint = 0');
    database.pragma(`journal_size_limit = ${KEPT_LOG_BYTES}`);
    return work(database);
  } finally {
    database.close();
  }
}

/**
 * When the log is fully checkpointed, the next commit restarts it and waits for an fsync on its own thread. A reader pinned
 * before the last frame prevents that.
 */
function advance(database: BetterSqlite3.Database, file: string, addonPath: string | undefined): LogStepResult {
  return withDatabase(file, addonPath, (reader) => {
    reader.exec('begin');
    reader.prepare('select count(*) from sqlite_master').get();
    commitNoOp(database);
    return { ...checkpoint(database, 'PASSIVE'), isDone: false, damage: null };
  });
}

/** The header of the new log is on disk when this returns, so that the next writer does not wait for it. */
function restartLog(database: BetterSqlite3.Database, step: 'restart' | 'truncate'): LogStepResult {
  const pages = checkpoint(database, 'PASSIVE');
  if (pages.waitingPages > 0) return { ...pages, isDone: false, damage: null };
  const isDone = step === 'restart' || checkpoint(database, 'TRUNCATE').waitingPages === 0;
  return { ...pages, isDone: commitNoOp(database) && isDone, damage: null };
}

function checkpoint(
  database: BetterSqlite3.Database,
  mode: 'PASSIVE' | 'TRUNCATE',
): Pick<LogStepResult, 'writtenPages' | 'waitingPages'> {
  const [row] = database.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[];
  // During another checkpoint the state is unknown.
  if (row === undefined || row.busy !== 0) return { writtenPages: 0, waitingPages: Number.POSITIVE_INFINITY };
  return { writtenPages: row.checkpointed, waitingPages: row.log - row.checkpointed };
}

/** Sets the version to its current value: a commit of one page. @returns false during another write */
function commitNoOp(database: BetterSqlite3.Database): boolean {
  const commit = database.transaction(() => {
    database.pragma(`user_version = ${database.pragma('user_version', { simple: true })}`);
  });
  try {
    commit.immediate();
    return true;
  } catch (error) {
    if (isTransient(error)) return false;
    throw error;
  }
}
