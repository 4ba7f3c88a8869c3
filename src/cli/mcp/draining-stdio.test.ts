import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { drainingStdio } from './draining-stdio.ts';

type Message = Parameters<ReturnType<typeof drainingStdio>['transport']['send']>[0];

const question = (id: number, method = 'tools/list'): Message => ({ jsonrpc: '2.0', id, method, params: {} });
const answerTo = (id: number): Message => ({ jsonrpc: '2.0', id, result: {} });
const cancelled = (requestId: number): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

async function listening() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { transport, ended } = drainingStdio({ stdin, stdout });
  const received: Message[] = [];
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  return {
    transport,
    ended,
    heard: received,
    stdin,
    stdout,
    async hasEnded() {
      for (let turns = 0; turns < 10; turns += 1) await turn();
      return hasEnded;
    },
  };
}

const lines = (...messages: Message[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

describe('the end of stdin', () => {
  it('waits for each question', async () => {
    const { transport, heard: resolveHeard, stdin, ended, hasEnded } = await listening();
    stdin.end(lines(question(1), question(2)));
    expect(await hasEnded()).toBe(false);
    expect(resolveHeard).toHaveLength(2);
    await transport.send(answerTo(1));
    expect(await hasEnded()).toBe(false);
    await transport.send(answerTo(2));
    await ended;
  });

  it.each<[string, Message[]]>([
    ['nothing was asked', []],
    ['a question was taken back', [question(1), cancelled(1)]],
    ['only a subscription is open', [question(1, 'subscriptions/listen')]],
    ['what came was no question', [answerTo(9)]],
  ])('waits for nothing where %s', async (_name, messages) => {
    const { stdin, ended } = await listening();
    stdin.end(lines(...messages));
    await ended;
  });

  it('comes too when stdin breaks', async () => {
    const { stdin, ended } = await listening();
    stdin.destroy(new Error('broken'));
    await ended;
  });

  it('arrives while the responses are not read', async () => {
    const { stdout, ended } = await listening();
    stdout.destroy(new Error('broken'));
    await ended;
  });
});
