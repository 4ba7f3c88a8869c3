import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerEntry } from '../app/runtime-assets.ts';
import { hallucinationTask } from '../features/security/security.tasks.ts';
import { StoreFault } from '../store/store-fault.ts';
import { TaskPool, type TaskPoolOptions } from './task-pool.ts';
import { toFailure } from './worker-messages.ts';

let file: string;
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'misstep-tasks-')), 'store.db');
  new BetterSqlite3(file).exec('create table t(a)').close();
});
afterAll(() => rmSync(dirname(file), { recursive: true, force: true }));

const openPool = (options: Partial<TaskPoolOptions>) =>
  new TaskPool({ size: 2, entry: workerEntry(), store: { file }, ...options });

const words = 'the order 17 was sent on 3 May to a customer in Berlin and cost 120 euros. ';
const LONG = { output: words.repeat(40_000), sources: [words.repeat(40_000)] };

describe('a task', { timeout: 60_000 }, () => {
  it('that exceeds its time limit is rejected and releases its place', async () => {
    const pool = openPool({ timeoutMs: { check: 1 } });
    try {
      const refusal = { code: 'invalid_body', message: expect.stringContaining('shorter parts') };
      await expect(pool.start(hallucinationTask, LONG, { tenantNo: 1 })).rejects.toMatchObject(refusal);
      expect(pool.load).toEqual({ running: 0, waiting: 0 });
    } finally {
      await pool.close();
    }
  });

  it('is rejected with a retry time if no worker can start', async () => {
    const pool = openPool({ entry: { code: 'throw new Error("EMFILE")' } });
    try {
      const refusal = { code: 'unavailable', retryAfterSeconds: 5 };
      await expect(pool.start(hallucinationTask, LONG, { tenantNo: 1 })).rejects.toMatchObject(refusal);
      expect(pool.isAvailable).toBe(false);
    } finally {
      await pool.close();
    }
  });
});

it('that finds damage in the store fails, and the message of SQLite is reported', async () => {
  const detail = 'database disk image is malformed';
  const failure = toFailure(new StoreFault('damaged', '/data/misstep.db', { detail }));
  const code = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ id }) => parentPort.postMessage({ id, failure: ${JSON.stringify(failure)} }));
    parentPort.postMessage('ready');`;
  const reported: string[] = [];
  const pool = openPool({ entry: { code }, onDamage: (problem) => void reported.push(problem) });
  try {
    await expect(pool.start(hallucinationTask, LONG, { tenantNo: 1 })).rejects.toMatchObject({
      code: 'store_unusable',
      reason: 'damaged',
      path: '/data/misstep.db',
    });
    expect(reported).toEqual([detail]);
  } finally {
    await pool.close();
  }
});
