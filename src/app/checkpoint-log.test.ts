import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogPages } from '../features/storage/checkpointer.ts';
import type { StoreConnection } from '../store/connection.ts';
import { openSqlite } from '../store/dialect.ts';
import type { LogStep } from '../store/sqlite-log.ts';
import { type CheckpointLog, createCheckpointLog } from './checkpoint-log.ts';

const DONE: LogPages = { writtenPages: 10, waitingPages: 0, isDone: true };

let store: StoreConnection;
let steps: LogStep[];
/** Returns the result of a step on the thread. */
let answer: (step: LogStep) => LogPages;
let isAvailable: boolean;
let checkpointLog: CheckpointLog;
beforeEach(() => {
  store = openSqlite({ file: ':memory:', durability: 'normal', hasCheckpointThread: true });
  [steps, isAvailable] = [[], true];
  answer = () => DONE;
  checkpointLog = createCheckpointLog(store, {
    async runStep(step) {
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

it('the thread checkpoints the log of an undamaged database', async () => {
  expect(await checkpointLog(false)).toBe(true);
  expect(steps).toEqual(['advance', 'restart']);
});

it.each([true, false])(
  'a database that is known to be damaged is not checkpointed (truncates: %s)',
  async (truncates) => {
    store.state.reportDamage('row 7 missing from index traces_by_time');
    expect(await checkpointLog(truncates)).toBe(false);
    expect(steps).toEqual([]);
  },
);

it('no further step runs after damage is found', async () => {
  answer = () => {
    store.state.reportDamage('database disk image is malformed');
    return DONE;
  };
  expect(await checkpointLog(true)).toBe(false);
  expect(steps).toEqual(['advance']);
});

/** Number of log pages from which a commit starts a checkpoint; 0: never. */
async function commitPages(): Promise<number> {
  const { rows } = await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(store.db);
  return rows[0]!.wal_autocheckpoint;
}

it('commits do not checkpoint the log while the thread does, and checkpoint it from 64 MiB otherwise', async () => {
  expect(await commitPages()).toBe(4_096);
  await checkpointLog(false);
  expect(await commitPages()).toBe(0);
  isAvailable = false;
  await checkpointLog(false);
  expect(await commitPages()).toBe(4_096);
  isAvailable = true;
  await checkpointLog(false);
  expect(await commitPages()).toBe(0);
});

it('commits checkpoint the log from 64 MiB if a step of the thread fails', async () => {
  await checkpointLog(false);
  expect(await commitPages()).toBe(0);
  isAvailable = false;
  answer = () => {
    throw new Error('no such file');
  };
  await expect(checkpointLog(false)).rejects.toThrow('no such file');
  expect(await commitPages()).toBe(4_096);
});
