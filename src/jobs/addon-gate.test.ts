import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workerEntry } from '../app/runtime-assets.ts';
import { AddonGate } from './addon-gate.ts';
import type { WorkerReply } from './worker-messages.ts';
import { WorkerThread } from './worker-thread.ts';

const OPEN = 0;
const CLOSED = 2;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-addon-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('closes only after the addon has been loaded', async () => {
  const owner = new AddonGate();
  const worker = new AddonGate(owner.memory);
  const order: string[] = [];
  let closed = Promise.resolve();
  worker.load(() => {
    closed = owner.close().then(() => void order.push('closed'));
    order.push('loaded');
  });
  await closed;
  expect(order).toEqual(['loaded', 'closed']);
});

it('opens again if the addon cannot be loaded', async () => {
  const gate = new AddonGate();
  expect(() =>
    gate.load(() => {
      throw new Error('no such file');
    }),
  ).toThrow('no such file');
  await gate.close();
});

it('loads once', () => {
  const gate = new AddonGate();
  const loads: number[] = [];
  for (const call of [1, 2, 3]) gate.load(() => void loads.push(call));
  expect(loads).toEqual([1]);
});

it('a worker that opens the store is terminated after the addon has been loaded', async () => {
  const runLogStep = { id: 1, kind: 'runLogStep', input: { file: join(folder, 'none.db'), step: 'advance' } };
  for (let round = 0; round < 5; round += 1) {
    const gate = new AddonGate();
    const state = new Int32Array(gate.memory);
    let isDone = false;
    const onReply = (reply: WorkerReply) => {
      if (reply === 'ready') thread.send(runLogStep, []);
      else isDone = true;
    };
    const events = { onReply, onEnd: () => {} };
    const thread: WorkerThread = new WorkerThread(workerEntry(), new SharedArrayBuffer(4), events, gate);
    while (Atomics.load(state, 0) === OPEN && !isDone) await nextTurn();
    await thread.terminate();
    expect(Atomics.load(state, 0)).toBe(CLOSED);
  }
});
