import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../core/app-error.ts';
import { WorkerUnavailableError } from '../core/worker-unavailable-error.ts';
import { WorkerCrashError, WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

interface Tasks {
  echo: { input: unknown; output: unknown };
  hang: { input: null; output: never };
  fail: { input: unknown; output: never };
  exit: { input: null; output: never };
}

/** @param gate a file without which the worker does not start */
const codeOf = (gate: string | null) => `
  const { parentPort } = require('node:worker_threads');
  const gate = ${JSON.stringify(gate)};
  if (gate !== null && !require('node:fs').existsSync(gate)) throw new Error('EMFILE: no descriptor left');
  parentPort.on('message', ({ id, kind, input }) => {
    if (kind === 'echo') parentPort.postMessage({ id, output: input });
    if (kind === 'fail') parentPort.postMessage({ id, failure: input });
    if (kind === 'hang') for (;;);
    if (kind === 'exit') process.exit(3);
  });
  parentPort.postMessage('ready');
`;

let folder: string;
let pool: WorkerPool<Tasks>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-pool-'));
});
afterEach(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

function openPool(options: Partial<WorkerPoolOptions<Tasks>> = {}, gate: string | null = null): WorkerPool<Tasks> {
  const longMs = 30_000;
  const timeoutMs = { echo: longMs, hang: longMs, fail: longMs, exit: longMs };
  pool = new WorkerPool({ name: 'test', size: 1, entry: { code: codeOf(gate) }, timeoutMs, now: () => 77, ...options });
  return pool;
}

describe('a task', { timeout: 60_000 }, () => {
  it.each([
    ['throws', { message: 'bad' }, expect.objectContaining({ message: 'bad', name: 'Error' })],
    ['hits a limit of the machine', { message: 'x', systemCode: 'EMFILE' }, expect.any(WorkerUnavailableError)],
    [
      'refuses its input',
      { message: 'no', app: { code: 'invalid_body', errors: [{ pointer: '/a', message: 'b' }], retryAfterSeconds: 3 } },
      new AppError('invalid_body', 'no', { errors: [{ pointer: '/a', message: 'b' }], retryAfterSeconds: 3 }),
    ],
  ])('that %s is rejected with the same kind of error', async (_name, failure, expected) => {
    openPool();
    await expect(pool.run('fail', failure)).rejects.toEqual(expected);
    expect(await pool.run('echo', 'still here')).toBe('still here');
  });

  it('that ends its worker is rejected with the shared memory of the worker', async () => {
    const memory = new SharedArrayBuffer(4);
    openPool({ createMemory: () => memory });
    const error = await pool.run('exit', null).catch((reason) => reason);
    expect(error).toBeInstanceOf(WorkerCrashError);
    expect(error.memory).toBe(memory);
    expect(pool.state).toEqual({ isAvailable: true, since: null, lastError: null });
  });

  it('that is aborted is removed from the queue', async () => {
    openPool();
    const hung = pool.run('hang', null).catch(() => 'closed');
    const controller = new AbortController();
    const waits = pool.run('echo', 1, { signal: controller.signal });
    expect(pool.waitingCount).toBeGreaterThan(0);
    controller.abort(new Error('gone'));
    await expect(waits).rejects.toThrow('gone');
    await expect(pool.run('echo', 2, { signal: controller.signal })).rejects.toThrow('gone');
    await pool.close();
    expect(await hung).toBe('closed');
  });

  it('with `isFirst` precedes the queued tasks', async () => {
    openPool();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const first = pool.run('echo', 1).then(note('one'));
    const second = pool.run('echo', 2).then(note('two'));
    await Promise.all([first, second, pool.run('echo', 3, { isFirst: true }).then(note('first'))]);
    expect(order).toEqual(['first', 'one', 'two']);
  });

  it('that cannot be cloned fails without affecting other tasks', async () => {
    openPool();
    await expect(pool.run('echo', () => {})).rejects.toThrow(/could not be cloned/);
    expect(await pool.run('echo', 1)).toBe(1);
  });

  it('moves buffers', async () => {
    openPool();
    const buffer = new ArrayBuffer(8);
    expect(await pool.run('echo', buffer, { transfer: [buffer] })).toEqual(new ArrayBuffer(8));
    expect(buffer.byteLength).toBe(0);
  });
});

describe('workers that cannot start', { timeout: 60_000 }, () => {
  it('reject every task, and the state has the time and the reason', async () => {
    openPool({ size: 2 }, join(folder, 'gate'));
    const all = await Promise.allSettled([pool.run('echo', 1), pool.run('echo', 2), pool.run('echo', 3)]);
    for (const each of all) expect(each).toMatchObject({ reason: expect.any(WorkerUnavailableError) });
    expect(pool.state).toEqual({ isAvailable: false, since: 77, lastError: 'EMFILE: no descriptor left' });
    await expect(pool.run('echo', 4)).rejects.toThrow('no test worker can start: EMFILE: no descriptor left');
  });

  it('are restarted without a new task', async () => {
    const gate = join(folder, 'gate');
    openPool({}, gate);
    await expect(pool.run('echo', 1)).rejects.toThrow(WorkerUnavailableError);
    writeFileSync(gate, '');
    await vi.waitFor(() => expect(pool.state.isAvailable).toBe(true), { timeout: 30_000, interval: 20 });
    expect(pool.state.since).toBeNull();
    expect(await pool.run('echo', 5)).toBe(5);
  });

  it('leave their tasks to the running workers', async () => {
    const gate = join(folder, 'gate');
    writeFileSync(gate, '');
    openPool({ size: 2 }, gate);
    await pool.run('echo', 0);
    rmSync(gate);
    expect(await Promise.all([1, 2, 3].map((each) => pool.run('echo', each)))).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(pool.state.lastError).toMatch(/EMFILE/), { timeout: 30_000, interval: 20 });
    expect(pool.state.isAvailable).toBe(true);
  });
});
