import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreConnection } from '../../store/connection.ts';
import { openSqlite } from '../../store/dialect.ts';
import type { StoreSpace } from '../../store/store-space.ts';
import { LONG_LOG_BYTES, nextSlicePages, pagesToRelease, SpaceKeeper } from './space-keeper.ts';

const MIB = 1024 * 1024;

let folder: string;
let file: string;
let store: StoreConnection;
let now: number;
/** Free pages at each turn that other work got. */
let turns: number[];
let longLogs: [number, boolean][];
let folds: boolean[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'space-'));
  file = join(folder, 'x.db');
  [now, turns, longLogs, folds] = [0, [], [], []];
  store = openSqlite({ file, durability: 'normal' });
  await sql`create table note (id integer primary key, text text)`.execute(store.db);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function keeper(connection: StoreConnection = store, space = connection.space): SpaceKeeper {
  return new SpaceKeeper({
    space,
    foldLog: async (isEmptied) => {
      folds.push(isEmptied);
      return connection.space.checkpoint(isEmptied);
    },
    changeMark: () => connection.changeMark(),
    monotonicMs: () => {
      now += 1;
      return now;
    },
    async nextTurn() {
      turns.push(connection.space.read().freePages);
    },
    onLongLog: (bytes, isLong) => void longLogs.push([bytes, isLong]),
  });
}

async function fill(connection: StoreConnection, notes: number): Promise<void> {
  await connection.db.transaction().execute(async (transaction) => {
    for (let at = 0; at < notes; at += 1)
      await sql`insert into note (text) values (${'x'.repeat(15_000)})`.execute(transaction);
  });
}

async function untilSmall(one: SpaceKeeper, connection = store): Promise<void> {
  for (let step = 0; step < 50 && pagesToRelease(connection.space.read()) > 0; step += 1) await one.step();
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe('space of deleted data', () => {
  it('in a new store goes back to the file system, in slices between which other work runs', async () => {
    await fill(store, 1_000);
    store.space.checkpoint(true);
    const full = sizeOf(file);
    await sql`delete from note where id > 100`.execute(store.db);
    await untilSmall(keeper());
    expect(sizeOf(file)).toBeLessThan(full / 4);
    expect(sizeOf(`${file}-wal`)).toBe(0);
    expect(turns.length).toBeGreaterThan(5);
    const released = turns.slice(1).map((free, at) => turns[at]! - free);
    expect(Math.max(...released)).toBeLessThanOrEqual(512);
    expect((await sql`select count(*) as count from note`.execute(store.db)).rows).toEqual([{ count: 100 }]);
  });

  it('in an older store stays in the file and is used again', async () => {
    const old = join(folder, 'old.db');
    const first = openSqlite({ file: old, durability: 'normal' });
    await sql`pragma auto_vacuum = none`.execute(first.db);
    await sql`vacuum`.execute(first.db);
    await sql`create table note (id integer primary key, text text)`.execute(first.db);
    await first.close();
    const again = openSqlite({ file: old, durability: 'normal' });
    await fill(again, 300);
    await sql`delete from note where id > 10`.execute(again.db);
    again.space.checkpoint(true);
    const full = sizeOf(old);
    expect(again.space.read()).toMatchObject({ canShrink: false });
    await keeper(again).step();
    await fill(again, 280);
    again.space.checkpoint(true);
    expect(sizeOf(old)).toBeLessThanOrEqual(full);
    await again.close();
  });

  it('is left alone while another process writes, and taken up later', async () => {
    const other = openSqlite({ file, durability: 'normal' });
    await fill(store, 500);
    await sql`delete from note`.execute(store.db);
    const free = store.space.read().freePages;
    const one = keeper();
    await other.db.transaction().execute(async (transaction) => {
      await sql`insert into note (text) values ('y')`.execute(transaction);
      await one.step();
    });
    expect(store.space.read().freePages).toBeGreaterThan(free - 10);
    await other.close();
    await untilSmall(one);
    expect(sizeOf(file)).toBeLessThan(3 * MIB);
  });

  it.each<[string, Partial<StoreSpace>, number]>([
    ['little of a small file', { pages: 100, freePages: 60 }, -4],
    ['much of a small file', { pages: 1_000, freePages: 900 }, 836],
    ['two in a hundred of a large file', { pages: 10_200, freePages: 200 }, 0],
    ['more than that', { pages: 10_300, freePages: 300 }, 100],
    ['all of an older file', { pages: 1_000, freePages: 900, canShrink: false }, 0],
  ])('%s', (_name, space, pages) =>
    expect(pagesToRelease({ pageBytes: 16_384, pages: 0, freePages: 0, canShrink: true, logBytes: 0, ...space })).toBe(
      pages,
    ),
  );

  it.each([
    [100, 20, 50],
    [100, 6, 100],
    [100, 1, 125],
    [1, 50, 1],
    [500, 1, 512],
  ])('a slice of %d pages in %d ms is followed by one of %d', (pages, tookMs, next) =>
    expect(nextSlicePages(pages, tookMs)).toBe(next),
  );
});

describe('the write-ahead log', () => {
  it('is emptied when nothing was written for some steps', async () => {
    const one = keeper();
    await fill(store, 100);
    const lengths: number[] = [];
    for (let step = 0; step < 5; step += 1) {
      await one.step();
      lengths.push(sizeOf(`${file}-wal`));
    }
    expect(lengths[0]).toBeGreaterThan(MIB);
    expect(lengths.at(-1)).toBe(0);
  });

  it('is short again after it had grown behind a reader', async () => {
    const reader = openSqlite({ file, durability: 'normal' });
    await sql`begin`.execute(reader.db);
    await sql`select count(*) from note`.execute(reader.db);
    for (let round = 0; round < 20; round += 1) await fill(store, 100);
    const grown = sizeOf(`${file}-wal`);
    expect(grown).toBeGreaterThan(20 * MIB);
    expect(store.space.checkpoint(true)).toBe(false);
    await sql`commit`.execute(reader.db);
    await fill(store, 1);
    await fill(store, 1);
    expect(sizeOf(`${file}-wal`)).toBeLessThanOrEqual(4 * MIB);
    await reader.close();
  });

  it('is written once it is longer than 4 MiB, without being cut while others write', async () => {
    const writer = openSqlite({ file, durability: 'normal', hasLogThread: true });
    const one = keeper(writer);
    await fill(writer, 200);
    await one.keepLogShort();
    expect(folds).toEqual([]);
    await fill(writer, 200);
    expect(sizeOf(`${file}-wal`)).toBeGreaterThan(4 * MIB);
    await one.keepLogShort();
    expect(folds).toEqual([false]);
    await writer.close();
  });

  it('is reported once while it is long, and once when it is short', async () => {
    let logBytes = 0;
    const space = { ...store.space, read: () => ({ ...store.space.read(), logBytes }) };
    const one = keeper(store, space);
    for (const bytes of [MIB, LONG_LOG_BYTES + 1, LONG_LOG_BYTES + 2, MIB, MIB]) {
      logBytes = bytes;
      await one.step();
    }
    expect(longLogs).toEqual([
      [LONG_LOG_BYTES + 1, true],
      [MIB, false],
    ]);
  });
});
