import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogPages } from '../features/storage/log-keeper.ts';
import type { StoreConnection } from '../store/connection.ts';
import { openSqlite } from '../store/dialect.ts';
import type { LogStep } from '../store/sqlite-log.ts';
import { createFoldLog, type FoldLog } from './fold-log.ts';

const DONE: LogPages = { writtenPages: 10, waitingPages: 0, isDone: true };

let store: StoreConnection;
let steps: LogStep[];
/** What the thread does in a step. */
let answer: (step: LogStep) => LogPages;
let isAvailable: boolean;
let foldLog: FoldLog;
beforeEach(() => {
  store = openSqlite({ file: ':memory:', durability: 'normal', hasLogThread: true });
  [steps, isAvailable] = [[], true];
  answer = () => DONE;
  foldLog = createFoldLog(store, {
    async write(step) {
      steps.push(step);
      return answer(step);
    },
    get isAvailable() {
      return isAvailable;
    },
    async close() {},
  });
});
afterEach(() => store.close());

it('the thread writes the log of a sound database', async () => {
  expect(await foldLog(false)).toBe(true);
  expect(steps).toEqual(['advance', 'restart']);
});

it.each([true, false])(
  'nothing is written to a database that is known to be damaged (emptied: %s)',
  async (isEmptied) => {
    store.state.reportDamage('row 7 missing from index traces_by_time');
    expect(await foldLog(isEmptied)).toBe(false);
    expect(steps).toEqual([]);
  },
);

it('no further step runs after damage is found', async () => {
  answer = () => {
    store.state.reportDamage('database disk image is malformed');
    return DONE;
  };
  expect(await foldLog(true)).toBe(false);
  expect(steps).toEqual(['advance']);
});

/** Pages of the log after which a commit checkpoints it; 0: never. */
async function commitPages(): Promise<number> {
  const { rows } = await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(store.db);
  return rows[0]!.wal_autocheckpoint;
}

it('commits checkpoint no log of any size while the thread does, and one of 64 MiB otherwise', async () => {
  expect(await commitPages()).toBe(4_096);
  await foldLog(false);
  expect(await commitPages()).toBe(0);
  isAvailable = false;
  await foldLog(false);
  expect(await commitPages()).toBe(4_096);
  isAvailable = true;
  await foldLog(false);
  expect(await commitPages()).toBe(0);
});

it('commits checkpoint a log of 64 MiB where a step of the thread fails', async () => {
  await foldLog(false);
  expect(await commitPages()).toBe(0);
  isAvailable = false;
  answer = () => {
    throw new Error('no such file');
  };
  await expect(foldLog(false)).rejects.toThrow('no such file');
  expect(await commitPages()).toBe(4_096);
});
