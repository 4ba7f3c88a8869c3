import BetterSqlite3 from 'better-sqlite3';
import { isDamage } from './store-fault.ts';

/** Result of one step of the check: the existing tables, and the error of the checked one. */
export interface IntegrityStep {
  tables: string[];
  /** Null for an intact table. */
  complaint: string | null;
}

/**
 * Checks one table and its indexes on a connection of its own, or only lists the tables. Takes about a second per gigabyte, and
 * keeps the write-ahead log from being emptied during that time.
 * @param table null: none
 * @throws Error if the file cannot be read for another reason than damage
 */
export function checkTable(file: string, addonPath: string | undefined, table: string | null): IntegrityStep {
  const database = new BetterSqlite3(file, { nativeBinding: addonPath, readonly: true, timeout: 1_000 });
  try {
    const tables = database
      .prepare<[], string>(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name",
      )
      .pluck()
      .all();
    if (table === null || !tables.includes(table)) return { tables, complaint: null };
    const quoted = `"${table.replaceAll('"', '""')}"`;
    const [found] = database.prepare<[], string>(`pragma quick_check(${quoted})`).pluck().all();
    return { tables, complaint: found === undefined || found === 'ok' ? null : found };
  } catch (error) {
    if (isDamage(error)) return { tables: [], complaint: (error as Error).message };
    throw error;
  } finally {
    database.close();
  }
}
