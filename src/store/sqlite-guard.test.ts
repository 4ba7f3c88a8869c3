import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StoreConnection } from './connection.ts';
import { openSqlite } from './dialect.ts';

const PAGE_BYTES = 16_384;

let folder: string;
let file: string;
let store: StoreConnection;
let errors: unknown[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-guard-'));
  file = join(folder, 'x.db');
  const whole = openSqlite({ file, durability: 'normal' });
  await sql`create table note (text text)`.execute(whole.db);
  await sql`create table other (text text)`.execute(whole.db);
  await sql`insert into note values (${'x'.repeat(100_000)})`.execute(whole.db);
  await whole.close();
  const bytes = readFileSync(file);
  // The root page of the first table: it follows the schema and the pointer map.
  writeFileSync(file, bytes.fill(0x5a, 2 * PAGE_BYTES, 3 * PAGE_BYTES));
  errors = [];
  store = openSqlite({ file, durability: 'normal', onError: (error) => errors.push(error) });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const readNote = () => sql`select text from note`.execute(store.db);
const writeOther = () => sql`insert into other values ('x')`.execute(store.db);

it('damage that a statement finds is reported once, with the path', async () => {
  const faults: string[] = [];
  store.state.onFault(({ message }) => faults.push(message));
  expect(store.state.fault).toBeNull();
  await expect(readNote()).rejects.toMatchObject({ code: 'store_unusable', reason: 'damaged', path: file });
  await expect(readNote()).rejects.toMatchObject({ reason: 'damaged' });
  expect(faults).toEqual([expect.stringContaining(`${file} is damaged (`)]);
  expect(errors).toHaveLength(2);
});

it('after that writes are rejected, also in a transaction, and reads of intact tables succeed', async () => {
  await writeOther();
  await readNote().catch(() => {});
  const refused = { code: 'store_unusable', retryAfterSeconds: expect.any(Number) };
  await expect(writeOther()).rejects.toMatchObject(refused);
  await expect(store.db.transaction().execute(async () => {})).rejects.toMatchObject(refused);
  await expect(sql`pragma wal_checkpoint(TRUNCATE)`.execute(store.db)).rejects.toMatchObject(refused);
  expect((await sql`select * from other`.execute(store.db)).rows).toHaveLength(1);
  expect((await sql`pragma data_version`.execute(store.db)).rows).toHaveLength(1);
});

it('other errors do not change the state of the store', async () => {
  await expect(sql`select * from nowhere`.execute(store.db)).rejects.toThrow('nowhere');
  expect(store.state.fault).toBeNull();
  await writeOther();
});
