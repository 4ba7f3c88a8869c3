import { afterEach, expect, it } from 'vitest';
import { NOTHING_WRITTEN } from '../store/sqlite-log.ts';
import { LogWriter } from './log-writer.ts';

const RESULT = { writtenPages: 7, waitingPages: 0, isDone: true, damage: null };
/** Does what is asked, but ends in `restart` and fails in `empty`. */
const THREAD = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, input }) => {
    if (input.step === 'restart') process.exit(3);
    else if (input.step === 'empty') parentPort.postMessage({ id, failure: { message: 'no such file' } });
    else parentPort.postMessage({ id, output: ${JSON.stringify(RESULT)} });
  });
  parentPort.postMessage('ready');
`;

let writer: LogWriter;
afterEach(() => writer.close());

function open(code: string): LogWriter {
  writer = new LogWriter({ entry: { code }, store: { file: '/nowhere/x.db' }, onDamage: () => {} });
  return writer;
}

it('a step that ran says that the thread is available', async () => {
  open(THREAD);
  expect(writer.isAvailable).toBe(false);
  expect(await writer.write('advance')).toEqual(RESULT);
  expect(writer.isAvailable).toBe(true);
});

it('a thread that cannot start is not available', async () => {
  open('throw new Error("EMFILE")');
  expect(await writer.write('advance')).toEqual(NOTHING_WRITTEN);
  expect(writer.isAvailable).toBe(false);
});

it('a thread that ends or fails in a step is not available until a step succeeds', async () => {
  open(THREAD);
  await writer.write('advance');
  expect(await writer.write('restart')).toEqual(NOTHING_WRITTEN);
  expect(writer.isAvailable).toBe(false);
  await writer.write('advance');
  expect(writer.isAvailable).toBe(true);
  await expect(writer.write('empty')).rejects.toThrow('no such file');
  expect(writer.isAvailable).toBe(false);
});
