import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupSqlite, checkIntegrity, openSqlite } from './dialect.ts';
import { isTransient, storageFailureOf } from './storage-failure.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-dialect-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function pragma(durability: 'normal' | 'full', name: string): Promise<unknown> {
  const store = openSqlite({ file: join(folder, 'x.db'), durability });
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(store.db);
  await store.close();
  return rows[0]?.[name];
}

describe('SQLite', () => {
  it.each([
    // Numbers of the SQLite documentation: 1 NORMAL, 2 FULL.
    ['normal', 1],
    ['full', 2],
  ] as const)('--durability %s sets synchronous to %i', async (durability, synchronous) => {
    expect(await pragma(durability, 'synchronous')).toBe(synchronous);
  });

  it('uses a write-ahead log, so that readers never wait for the writer', async () => {
    expect(await pragma('normal', 'journal_mode')).toBe('wal');
  });

  it('changes its marks on writes of this connection and of others, and only then', async () => {
    const file = join(folder, 'x.db');
    const [one, other] = [openSqlite({ file, durability: 'normal' }), openSqlite({ file, durability: 'normal' })];
    const hasChanged = { one: false, other: false };
    const marks = { one: '', other: '' };
    const readChanges = () => {
      for (const [name, { changeMark }] of Object.entries({ one, other }) as ['one' | 'other', typeof one][]) {
        const mark = changeMark();
        hasChanged[name] = mark !== marks[name];
        marks[name] = mark;
      }
      return hasChanged;
    };
    await sql`create table note (text text)`.execute(one.db);
    readChanges();
    expect(readChanges()).toEqual({ one: false, other: false });
    await sql`insert into note values ('by one')`.execute(one.db);
    expect(readChanges()).toEqual({ one: true, other: true });
    await sql`update note set text = 'by other'`.execute(other.db);
    expect(readChanges()).toEqual({ one: true, other: true });
    await sql`select * from note`.execute(other.db);
    await sql`update note set text = 'of nothing' where text = 'not there'`.execute(one.db);
    expect(readChanges()).toEqual({ one: false, other: false });
    await one.close();
    await other.close();
  });

  it('a copy is complete while another connection has the original open', async () => {
    const store = openSqlite({ file: join(folder, 'x.db'), durability: 'normal' });
    await sql`create table note (text text)`.execute(store.db);
    await sql`insert into note values ('kept')`.execute(store.db);
    await backupSqlite(join(folder, 'x.db'), join(folder, 'copy.db'), undefined);
    await store.close();
    const copy = openSqlite({ file: join(folder, 'copy.db'), durability: 'normal' });
    const { rows } = await sql`select text from note`.execute(copy.db);
    await copy.close();
    expect(rows).toEqual([{ text: 'kept' }]);
    expect(checkIntegrity(join(folder, 'copy.db'), undefined)).toEqual(['ok']);
  });

  it('a locked file is a transient error, an invalid statement is not', async () => {
    const [one, other] = [1, 2].map(() => openSqlite({ file: join(folder, 'x.db'), durability: 'normal' }));
    await sql`pragma busy_timeout = 1`.execute(other!.db);
    await one!.db.transaction().execute(async () => {
      const refused = await sql`create table late (x)`.execute(other!.db).catch((error) => error);
      expect(isTransient(refused)).toBe(true);
    });
    const broken = await sql`select nothing from nowhere`.execute(one!.db).catch((error) => error);
    expect(isTransient(broken)).toBe(false);
    await one!.close();
    await other!.close();
  });

  it('a transaction on a full disk fails with the disk error, and the next one succeeds', async () => {
    const failures: unknown[] = [];
    const options = {
      file: join(folder, 'x.db'),
      durability: 'normal',
      onError: (error: unknown) => failures.push(error),
    };
    const store = openSqlite({ ...options, durability: 'normal' });
    await sql`create table note (text text)`.execute(store.db);
    const fill = (bytes: number) =>
      store.db.transaction().execute(async (transaction) => {
        await sql`insert into note values (${'x'.repeat(bytes)})`.execute(transaction);
      });
    await sql`pragma max_page_count = 8`.execute(store.db);
    const refused = await fill(1_000_000).catch((error) => error);
    expect(storageFailureOf(refused)).toEqual({ kind: 'full', code: 'SQLITE_FULL' });
    expect(failures).toEqual([refused]);
    await fill(10);
    await sql`pragma max_page_count = 1000`.execute(store.db);
    await fill(1_000_000);
    await store.close();
  });
});
