import Sqlite from 'better-sqlite3';

/**
 * Rewrites a file that was created before free pages could be returned, so that deletions shrink it. Needs as much free
 * space as the size of the file, and exclusive access.
 */
export function enableShrinking(file: string, addonPath: string | undefined): void {
  const database = new Sqlite(file, { nativeBinding: addonPath, fileMustExist: true, timeout: 1_000 });
  try {
    database.pragma('auto_vacuum = INCREMENTAL');
    database.exec('vacuum');
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}
