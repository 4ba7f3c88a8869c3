import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreConnection } from '../../store/connection.ts';
import { openSqlite } from '../../store/dialect.ts';
import type { StoreSpace } from '../../store/store-space.ts';
import { LONG_LOG_BYTES, nextSlicePages, pagesToRelease, SpaceManager } from './space-manager.ts';

const MIB = 1024 * 1024;

let folder: string;
let file: string;
let store: StoreConnection;
let now: number;
/** Free pages at each turn that other work got. */
let turns: number[];
let longLogs: [number, boolean][];
let checkpoints: boolean[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'space-'));
  file = join(folder, 'x.db');
  [now, turns, longLogs, checkpoints] = [0, [], [], []];
  store = openSqlite({ file, durability: 'normal' });
  await sql`create table note (id integer primary key, text text)`.execute(store.db);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

function keeper(connection: StoreConnection = store, space = connection.space): SpaceManager {
  return new SpaceManager({
    space,
    checkpointLog: async (truncates) => {
      checkpoints.push(truncates);
      return connection.space.checkpoint(truncates);
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

async function untilSmall(one: SpaceManager, connection = store): Promise<void> {
  for (let step = 0; step < 50 && pagesToRelease(connection.space.read()) > 0; step += 1) await one.step();
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe('space of deleted data', () => {
  it('in a new store is returned to the file system in slices, with other work in between', async () => {
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

  it('waits while another process writes, and continues later', async () => {
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
  ])('a slice of %d pages in %d ms is followed by one of %d', (pages, durationMs, next) =>
    expect(nextSlicePages(pages, durationMs)).toBe(next),
  );
});

describe('the write-ahead log', () => {
  it('is emptied after some steps without writes', async () => {
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
    const writer = openSqlite({ file, durability: 'normal', hasCheckpointThread: true });
    const one = keeper(writer);
    await fill(writer, 200);
    await one.keepLogShort();
    expect(checkpoints).toEqual([]);
    await fill(writer, 200);
    expect(sizeOf(`${file}-wal`)).toBeGreaterThan(4 * MIB);
    await one.keepLogShort();
    expect(checkpoints).toEqual([false]);
    await writer.close();
  });

  describe('behind a reader', () => {
    let logBytes: number;
    let at: number;
    let outcome: () => boolean;
    let attempts: number;
    let one: SpaceManager;
    beforeEach(() => {
      [logBytes, at, outcome, attempts] = [5 * MIB, 0, () => false, 0];
      one = new SpaceManager({
        space: { read: () => ({ ...store.space.read(), logBytes }), release: () => {} },
        async checkpointLog() {
          attempts += 1;
          // The attempt itself adds a page to the log, and changes the mark.
          logBytes += 16_400;
          return outcome();
        },
        changeMark: () => String(attempts),
        monotonicMs: () => at,
        nextTurn: async () => {},
        onLongLog: () => {},
      });
    });

    /** The server looks at the log five times a second, and runs a step each second. */
    async function run(seconds: number): Promise<void> {
      for (let nth = 0; nth < seconds * 5; nth += 1) {
        at += 200;
        await one.keepLogShort().catch(() => {});
        if (nth % 5 === 0) await one.step().catch(() => {});
      }
    }

    it('is tried again after 5 s, 10 s, 20 s, then every 30 s', async () => {
      const times: number[] = [];
      for (let second = 0; second < 130; second += 1) {
        const before = attempts;
        await run(1);
        if (attempts > before) times.push(second);
      }
      expect(attempts).toBe(times.length);
      expect(times.slice(1).map((time, nth) => time - times[nth]!)).toEqual([5, 10, 20, 30, 30, 30]);
    });

    it('is retried at once when it grew by 1 MiB, and the delay starts again', async () => {
      await run(60);
      const before = attempts;
      logBytes += MIB;
      await run(4);
      expect(attempts).toBe(before + 1);
      await run(2);
      expect(attempts).toBe(before + 2);
    });

    it('a short log of an idle server, and a very long one, are also tried seldom', async () => {
      for (const bytes of [MIB, 2 * LONG_LOG_BYTES]) {
        logBytes = bytes;
        await run(300);
        const before = attempts;
        await run(300);
        expect(attempts - before).toBeLessThanOrEqual(10);
      }
    });

    it('an attempt that fails counts too', async () => {
      outcome = () => {
        throw new Error('no such file');
      };
      await run(16);
      expect(attempts).toBe(3);
    });

    it('is looked at as before once an attempt succeeds, or another process emptied it', async () => {
      await run(60);
      outcome = () => true;
      await run(30);
      outcome = () => false;
      const before = attempts;
      await run(1);
      expect(attempts).toBe(before + 1);
      logBytes = 0;
      await run(1);
      logBytes = 4.5 * MIB;
      await run(1);
      expect(attempts).toBe(before + 2);
    });
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
