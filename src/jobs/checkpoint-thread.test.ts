import { afterEach, expect, it } from 'vitest';
import { NOTHING_WRITTEN } from '../store/sqlite-log.ts';
import { CheckpointThread } from './checkpoint-thread.ts';

const RESULT = { writtenPages: 7, waitingPages: 0, isDone: true, damage: null };
/** A thread whose steps succeed, except that `restart` ends the thread and `truncate` fails. */
const THREAD = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, input }) => {
    if (input.step === 'restart') process.exit(3);
    else if (input.step === 'truncate') parentPort.postMessage({ id, failure: { message: 'no such file' } });
    else parentPort.postMessage({ id, output: ${JSON.stringify(RESULT)} });
  });
  parentPort.postMessage('ready');
`;

let thread: CheckpointThread;
afterEach(() => thread.close());

function open(code: string): CheckpointThread {
  thread = new CheckpointThread({ entry: { code }, store: { file: '/nowhere/x.db' }, onDamage: () => {} });
  return thread;
}

it('the thread is available after a step', async () => {
  open(THREAD);
  expect(thread.isAvailable).toBe(false);
  expect(await thread.runStep('advance')).toEqual(RESULT);
  expect(thread.isAvailable).toBe(true);
});

it('a thread that cannot start is not available', async () => {
  open('throw new Error("EMFILE")');
  expect(await thread.runStep('advance')).toEqual(NOTHING_WRITTEN);
  expect(thread.isAvailable).toBe(false);
});

it('a thread whose step failed is not available until a step succeeds', async () => {
  open(THREAD);
  await thread.runStep('advance');
  expect(await thread.runStep('restart')).toEqual(NOTHING_WRITTEN);
  expect(thread.isAvailable).toBe(false);
  await thread.runStep('advance');
  expect(thread.isAvailable).toBe(true);
  await expect(thread.runStep('truncate')).rejects.toThrow('no such file');
  expect(thread.isAvailable).toBe(false);
});
