import { describe, expect, it } from 'vitest';
import { decodeSpool, encodeEntry, type SpoolEntry } from './spool-entry.ts';

const entry = (text: string): SpoolEntry => ({
  receivedAtMs: 1_790_000_000_000,
  contentType: 'application/json',
  tenantId: null,
  body: Buffer.from(text),
});
const frame = (text: string) => encodeEntry(entry(text));
const texts = (bytes: Buffer) => decodeSpool(bytes).entries.map((found) => Buffer.from(found.body).toString());

describe('spool entries', () => {
  it('keep what they were given', () => {
    const original = { ...entry('{"a":1}'), tenantId: 'ten_1', contentType: null };
    expect(decodeSpool(encodeEntry(original))).toEqual({ entries: [original], tornCount: 0 });
  });

  const half = (text: string) => frame(text).subarray(0, -4);
  const rows: [string, Buffer[], string[], number][] = [
    ['nothing', [], [], 0],
    ['an empty body', [frame('')], [''], 0],
    ['several', [frame('one'), frame('two\n'), frame('three')], ['one', 'two\n', 'three'], 0],
    ['bytes that are no text', [frame('\u0000\u0001\n\n')], ['\u0000\u0001\n\n'], 0],
    [
      'a body that looks like a frame',
      [frame(frame('inner').toString()), frame('b')],
      [frame('inner').toString(), 'b'],
      0,
    ],
    ['a torn tail', [frame('one'), half('two')], ['one'], 1],
    ['a torn entry amid others', [frame('one'), half('two'), frame('three')], ['one', 'three'], 1],
    ['a tail torn within the header', [frame('one'), frame('two').subarray(0, 20)], ['one'], 1],
    ['zeros as a lost block leaves them', [frame('one'), Buffer.alloc(64), frame('two')], ['one', 'two'], 1],
    ['something else altogether', [Buffer.from('{"not":"a spool"}')], [], 1],
  ];
  it.each(rows)('%s', (_name, parts, expected, torn) => {
    const bytes = Buffer.concat(parts);
    expect(texts(bytes)).toEqual(expected);
    expect(decodeSpool(bytes).tornCount).toBe(torn);
  });

  it('survive a cut at every byte', () => {
    const bytes = Buffer.concat([frame('one'), frame('two')]);
    for (let length = 0; length <= bytes.length; length += 1) {
      const whole = length === bytes.length ? 2 : Number(length >= frame('one').length);
      expect(texts(bytes.subarray(0, length))).toHaveLength(whole);
    }
  });
});
