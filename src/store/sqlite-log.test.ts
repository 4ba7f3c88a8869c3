import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StoreConnection } from './connection.ts';
import { openSqlite } from './dialect.ts';
import { runLogStep } from './sqlite-log.ts';

const MIB = 1024 * 1024;

let folder: string;
let file: string;
let store: StoreConnection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-log-'));
  file = join(folder, 'x.db');
  store = openSqlite({ file, durability: 'normal', hasCheckpointThread: true });
  await sql`create table note (id integer primary key, text text)`.execute(store.db);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function fill(notes: number, connection = store): Promise<void> {
  await connection.db.transaction().execute(async (transaction) => {
    for (let at = 0; at < notes; at += 1)
      await sql`insert into note (text) values (${'x'.repeat(15_000)})`.execute(transaction);
  });
}

const logBytes = () => statSync(`${file}-wal`).size;
const count = async () => (await sql<{ count: number }>`select count(*) as count from note`.execute(store.db)).rows;

it('commits leave a log of more than 4 MiB to the thread', async () => {
  await fill(400);
  await fill(1);
  expect(logBytes()).toBeGreaterThan(6 * MIB);
  expect(statSync(file).size).toBeLessThan(MIB);
});

const saltOf = () => readFileSync(`${file}-wal`).subarray(16, 24);

it('advance: earlier commits are in the file, and the log continues', async () => {
  await fill(400);
  const [before, salt] = [logBytes(), saltOf()];
  const { writtenPages, waitingPages } = runLogStep(file, undefined, 'advance');
  expect(writtenPages).toBeGreaterThan(400);
  expect(waitingPages).toBe(1);
  expect(statSync(file).size).toBeGreaterThan(6 * MIB);
  await fill(1);
  // A commit that restarts the log chooses another salt, and waits for the disk.
  expect(saltOf()).toEqual(salt);
  expect(logBytes()).toBeGreaterThan(before);
});

it('restart: the log restarts, and the next commit does not wait for that', async () => {
  await fill(400);
  const salt = saltOf();
  expect(runLogStep(file, undefined, 'restart')).toMatchObject({ isDone: true, waitingPages: 0, damage: null });
  const [kept, restartedSalt] = [logBytes(), saltOf()];
  expect(kept).toBe(4 * MIB);
  expect(restartedSalt).not.toEqual(salt);
  await fill(10);
  expect(logBytes()).toBe(kept);
  expect(saltOf()).toEqual(restartedSalt);
  expect(await count()).toEqual([{ count: 410 }]);
});

it('truncate: the content of the log is removed from its file', async () => {
  await sql`insert into note (text) values ('planted text')`.execute(store.db);
  await sql`delete from note`.execute(store.db);
  expect(readFileSync(`${file}-wal`).includes('planted text')).toBe(true);
  expect(runLogStep(file, undefined, 'truncate')).toMatchObject({ isDone: true });
  expect(readFileSync(`${file}-wal`).includes('planted text')).toBe(false);
  expect(logBytes()).toBeLessThan(64 * 1024);
});

it.each(['advance', 'restart', 'truncate'] as const)(
  '%s: does not wait for a reader that blocks pages',
  async (step) => {
    const reader = openSqlite({ file, durability: 'normal' });
    await sql`begin`.execute(reader.db);
    await sql`select count(*) from note`.execute(reader.db);
    await fill(400);
    const held = runLogStep(file, undefined, step);
    expect(held.waitingPages).toBeGreaterThan(390);
    expect(held.isDone).toBe(false);
    await sql`commit`.execute(reader.db);
    await reader.close();
    expect(runLogStep(file, undefined, step).waitingPages).toBeLessThanOrEqual(1);
    expect(await count()).toEqual([{ count: 400 }]);
  },
);

it('restart: with a reader of the newest state all pages are written, and the step after that read restarts the log', async () => {
  await fill(10);
  const reader = openSqlite({ file, durability: 'normal' });
  await sql`begin`.execute(reader.db);
  await sql`select count(*) from note`.execute(reader.db);
  const salt = saltOf();
  expect(runLogStep(file, undefined, 'restart')).toMatchObject({ isDone: true, waitingPages: 0 });
  expect(saltOf()).toEqual(salt);
  await sql`commit`.execute(reader.db);
  await reader.close();
  runLogStep(file, undefined, 'restart');
  expect(saltOf()).not.toEqual(salt);
  expect(await count()).toEqual([{ count: 10 }]);
});

it('restart: does not wait for a writer of another process', async () => {
  const other = openSqlite({ file, durability: 'normal' });
  await fill(10);
  await other.db.transaction().execute(async (transaction) => {
    await sql`insert into note (text) values ('y')`.execute(transaction);
    expect(runLogStep(file, undefined, 'restart')).toMatchObject({ isDone: false, damage: null });
  });
  await other.close();
  expect(await count()).toEqual([{ count: 11 }]);
});

it('a damaged file is reported', async () => {
  await fill(10);
  await store.close();
  writeFileSync(file, readFileSync(file).fill(0x5a, 0, 100));
  const { isDone, damage } = runLogStep(file, undefined, 'restart');
  expect([isDone, damage]).toEqual([false, expect.stringContaining('not a database')]);
});

it.each(['advance', 'restart', 'truncate'] as const)('%s: on a failing disk all pages stay pending', (step) => {
  expect(runLogStep(join(folder, 'missing.db'), undefined, step)).toEqual({
    writtenPages: 0,
    waitingPages: Number.POSITIVE_INFINITY,
    isDone: false,
    damage: null,
  });
});
