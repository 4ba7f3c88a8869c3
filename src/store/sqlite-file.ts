import { type Kysely, sql } from 'kysely';
import { APPLICATION_ID } from './data-folder/check-database-file.ts';
import type { Database } from './schema.ts';

/** Tables of the file, without SQLite's own. */
export async function tableNames(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db);
  return rows.map(({ name }) => name);
}

/** Sets Misstep's application id in the file's header if it is missing. */
export async function markApplication(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ application_id: number }>`pragma application_id`.execute(db);
  if (rows[0]?.application_id !== APPLICATION_ID)
    await sql.raw(`pragma application_id = ${APPLICATION_ID}`).execute(db);
}

/** The first error of SQLite's quick check, which takes about a second per gigabyte; null for an intact file. */
export async function firstIntegrityError(db: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(5)`.execute(db);
  const result = rows[0]?.quick_check ?? 'ok';
  return result === 'ok' ? null : result;
}
