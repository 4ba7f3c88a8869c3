import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { receiveChunks, sendChunks } from './chunk-port.ts';

const MEGABYTE = 1024 * 1024;

/** A sender of `pieces` chunks and their receiver, both on this thread. */
function openPort(pieces: number, options: { idleMs?: number; signal?: AbortSignal; failAt?: number } = {}) {
  const { port1, port2 } = new MessageChannel();
  const made: number[] = [];
  let isEnded = false;
  async function* source() {
    try {
      for (let at = 0; at < pieces; at += 1) {
        if (at === options.failAt) throw new Error('the source failed');
        made.push(at);
        yield new Uint8Array(MEGABYTE).fill(at);
      }
    } finally {
      isEnded = true;
    }
  }
  const done = sendChunks(port2, source());
  const received = receiveChunks(port1, { done, idleMs: options.idleMs ?? 60_000, signal: options.signal });
  return { made, done, received, isEnded: () => isEnded };
}

async function firstBytes(received: AsyncIterable<Uint8Array>): Promise<number[]> {
  const bytes: number[] = [];
  for await (const piece of received) bytes.push(piece[0]!);
  return bytes;
}

describe('chunks between threads', () => {
  it('arrive complete and in order', async () => {
    const { done, received } = openPort(12);
    expect(await firstBytes(received)).toEqual([...Array(12).keys()]);
    expect(await done).toBe(true);
  });

  it('are produced no faster than they are read', async () => {
    const { made, received } = openPort(100);
    await received.next();
    await new Promise((resume) => setTimeout(resume, 20));
    expect(made.length).toBeLessThan(10);
    await received.return(undefined);
  });

  it.each([
    ['the reader stops', async (received: AsyncGenerator<Uint8Array>) => void (await received.return(undefined))],
    ['the reader reads nothing', async () => {}],
  ])('stop at the sender when %s', async (_title, leave) => {
    const { done, received, isEnded } = openPort(100, { idleMs: 20 });
    await received.next();
    await leave(received);
    expect(await done).toBe(false);
    expect(isEnded()).toBe(true);
    await received.return(undefined);
  });

  it('throw at a reader that is too slow', async () => {
    const { done, received } = openPort(100, { idleMs: 5 });
    await received.next();
    await done;
    await expect(firstBytes(received)).rejects.toThrow('nothing was read for 5 ms');
  });

  it('end for both when the signal aborts', async () => {
    const client = new AbortController();
    const { done, received } = openPort(100, { signal: client.signal });
    await received.next();
    client.abort(new Error('gone'));
    await expect(firstBytes(received)).rejects.toThrow('gone');
    expect(await done).toBe(false);
  });

  it('that arrived before a failure are read first', async () => {
    const { done, received } = openPort(5, { failAt: 2 });
    done.catch(() => {});
    const bytes: number[] = [];
    await expect(
      (async () => {
        for await (const piece of received) bytes.push(piece[0]!);
      })(),
    ).rejects.toThrow('the source failed');
    expect(bytes).toEqual([0, 1]);
  });
});
