import { statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { KEPT_LOG_BYTES } from './sqlite-log.ts';
import { isTransient } from './storage-failure.ts';
import type { StoreSpaceControl } from './store-space.ts';

/**
 * Log pages after which a commit checkpoints it: 4 MiB. Larger logs delay that commit longer, and must fit
 * into the reserve of a full disk (RESERVE_BYTES).
 */
const CHECKPOINT_PAGES = 256;
/** With a checkpoint thread, commits checkpoint only above 64 MiB, and only while the thread does not run. */
const FALLBACK_CHECKPOINT_PAGES = 4_096;
const INCREMENTAL = 2;

/**
 * Sets the pragmas that control disk usage; call it before the first table is created.
 * @param hasCheckpointThread commits leave the log to a `CheckpointThread`
 */
export function limitSpace(database: BetterSqlite3.Database, hasCheckpointThread: boolean): void {
  // Takes effect in a new file only; an older one keeps its free pages for later data. Otherwise each open would write the header.
  if (database.pragma('page_count', { simple: true }) === 0) database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma('journal_mode = WAL');
  database.pragma(`wal_autocheckpoint = ${hasCheckpointThread ? FALLBACK_CHECKPOINT_PAGES : CHECKPOINT_PAGES}`);
  database.pragma(`journal_size_limit = ${KEPT_LOG_BYTES}`);
}

/**
 * @param busyMs this connection's normal busy timeout
 * @param isSound false: the file is damaged, and nothing is written to it
 */
export function createSpaceControl(
  database: BetterSqlite3.Database,
  busyMs: number,
  isSound: () => boolean,
): StoreSpaceControl {
  const number = (pragma: string) => database.pragma(pragma, { simple: true }) as number;
  const logFile = `${database.name}-wal`;
  const pageBytes = number('page_size');
  let hasFallback = true;
  const canShrink = number('auto_vacuum') === INCREMENTAL;

  /** A reader may hold the log for hours: do not wait for it. */
  function withoutWaiting<Result>(work: () => Result): Result {
    database.pragma('busy_timeout = 0');
    try {
      return work();
    } finally {
      database.pragma(`busy_timeout = ${busyMs}`);
    }
  }

  function checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): boolean {
    const [row] = database.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[];
    return row !== undefined && row.busy === 0 && row.checkpointed === row.log;
  }

  return {
    read: () => ({
      pageBytes,
      pages: number('page_count'),
      freePages: number('freelist_count'),
      canShrink,
      logBytes: statSync(logFile, { throwIfNoEntry: false })?.size ?? 0,
    }),
    // exec() runs the statement to completion; a prepared one would release a single page.
    release(pages) {
      if (isSound()) withoutWaiting(() => database.exec(`pragma incremental_vacuum(${pages})`));
    },
    checkpoint: (truncate) =>
      withoutWaiting(() => {
        if (!isSound()) return false;
        try {
          const isWritten = checkpoint('PASSIVE');
          return isWritten && truncate ? checkpoint('TRUNCATE') : isWritten;
        } catch (error) {
          // The log is unchanged, so nothing is lost.
          if (isTransient(error)) return false;
          throw error;
        }
      }),
    setFallback(isOn) {
      if (isOn === hasFallback) return;
      database.pragma(`wal_autocheckpoint = ${isOn ? FALLBACK_CHECKPOINT_PAGES : 0}`);
      hasFallback = isOn;
    },
  };
}
