import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { createOwnerFile } from './data-folder/owner-file.ts';

/**
 * An exclusive lock on a dedicated file. The kernel releases it when the process ends, for any reason. Process ids are not
 * used: they are reused, above all in containers.
 *
 * No other code may open the file while the lock is held: closing any descriptor of it releases the lock (POSIX).
 */
export class SqliteLock {
  readonly #database: BetterSqlite3.Database;

  private constructor(database: BetterSqlite3.Database) {
    this.#database = database;
  }

  /** @returns null if another process or connection holds it @throws the error of the file system or of SQLite */
  static acquire(
    file: string,
    { waitMs, addonPath }: { waitMs: number; addonPath: string | undefined },
  ): SqliteLock | null {
    if (!existsSync(file)) createOwnerFile(file);
    const database = new BetterSqlite3(file, { nativeBinding: addonPath, timeout: waitMs });
    try {
      // Without a journal file, which would fail on a full disk.
      database.exec('pragma journal_mode = memory; begin exclusive');
      return new SqliteLock(database);
    } catch (error) {
      database.close();
      if (isHeldElsewhere(error)) return null;
      throw error;
    }
  }

  /** Whether a process holds it now. */
  static isHeld(file: string, addonPath: string | undefined): boolean {
    if (!existsSync(file)) return false;
    const database = new BetterSqlite3(file, { nativeBinding: addonPath, readonly: true, timeout: 0 });
    try {
      database.prepare('select count(*) from sqlite_master').get();
      return false;
    } catch (error) {
      if (isHeldElsewhere(error)) return true;
      throw error;
    } finally {
      database.close();
    }
  }

  release(): void {
    this.#database.close();
  }
}

function isHeldElsewhere(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
