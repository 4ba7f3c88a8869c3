import { expect, test } from 'vitest';
import { copyBytes, joinChunks } from './join-chunks.ts';

const TURN_BYTES = 10;

/** Chunks of these lengths, filled with counting bytes. */
function chunksOf(lengths: readonly number[]): { chunks: Buffer[]; whole: Buffer } {
  const size = lengths.reduce((sum, length) => sum + length, 0);
  const whole = Buffer.from(Array.from({ length: size }, (_, at) => at % 256));
  let offset = 0;
  const chunks = lengths.map((length) => {
    offset += length;
    return Buffer.from(whole.subarray(offset - length, offset));
  });
  return { chunks, whole };
}

test.each([
  ['nothing', []],
  ['one chunk', [7]],
  ['less than one turn copies', [3, 4]],
  ['exactly one turn', [5, 5]],
  ['one byte more', [5, 6]],
  ['a chunk of several turns', [1, 35, 2]],
  ['many small chunks and empty ones', [0, 3, 0, 9, 9, 9, 1, 0]],
  ['chunks that end with turns', [10, 10, 10]],
])('%s', async (_, lengths) => {
  const { chunks, whole } = chunksOf(lengths);
  const joined = await joinChunks(chunks, whole.length, TURN_BYTES);
  expect(joined.equals(whole)).toBe(true);
});

test('copying a large body yields to the event loop', async () => {
  const { chunks, whole } = chunksOf([25, 25]);
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await joinChunks(chunks, whole.length, TURN_BYTES);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('each chunk is released after it is copied', async () => {
  const { chunks, whole } = chunksOf([8, 8, 8]);
  await joinChunks(chunks, whole.length, TURN_BYTES);
  expect(chunks.every(({ length }) => length === 0)).toBe(true);
});

test('a copy shares no memory with its original', async () => {
  const bytes = Buffer.from('0123456789');
  const copy = await copyBytes(bytes);
  bytes.fill('x');
  expect(copy.toString()).toBe('0123456789');
});
