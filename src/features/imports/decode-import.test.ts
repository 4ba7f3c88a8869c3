import { describe, expect, it } from 'vitest';
import { decodeImportFile, decodeImportRecord } from './decode-import.ts';

const LINES = { kind: 'lines' } as const;
const lists = (count: number) => Buffer.from(`[${'[],'.repeat(count)}[]]`);

describe('a record of millions of values', () => {
  it.each([
    ['a record', () => decodeImportRecord(lists(250_000), LINES, { receivedAtMs: 0 })],
    ['a whole file', () => decodeImportFile(lists(500_000), { receivedAtMs: 0 })],
  ])('%s is refused before it is parsed', (_name, decode) => {
    expect(decode()).toMatchObject({
      hasFailed: true,
      spans: [],
      rejections: [{ message: expect.stringMatching(/more than \d+ values/) }],
    });
  });
});
