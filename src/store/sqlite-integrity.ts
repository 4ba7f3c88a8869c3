import BetterSqlite3 from 'better-sqlite3';
import { isDamage } from './store-fault.ts';

/** What one step of the check found: the tables that are there, and what is wrong with the one that was checked. */
export interface IntegrityStep {
  tables: string[];
  /** Null for a sound table. */
  complaint: string | null;
}

/**
 * Checks one table and its indexes on a connection of its own, or only lists the tables. Takes about a second for each gigabyte, and
 * keeps the write-ahead log from being emptied for that long.
 * @param table null: none
 * @throws Error where the file cannot be read for another reason than damage
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
