import { describe, expect, it } from 'vitest';
import { boundedFieldErrors, listNames, truncate } from './bounded-errors.ts';

const many = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => ({ pointer: `/${text}${at}`, message: `${text} is unknown` }));

describe('shortened', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['a😀b', 3, 'a\ufffd…'],
  ])('%j at most %i long is %j', (text, maxLength, expected) => expect(truncate(text, maxLength)).toBe(expected));
});

describe('listNames', () => {
  it.each<[string, string[], string]>([
    ['few', ['a', 'b'], 'a, b'],
    ['eleven', [...'abcdefghijk'], 'a, b, c, d, e, f, g, h, i, j and 1 more'],
    ['a long one', ['x'.repeat(100)], `${'x'.repeat(59)}…`],
  ])('%s', (_name, names, expected) => expect(listNames(names)).toBe(expected));
});

describe('boundedFieldErrors', () => {
  it('keeps short lists as they are', () => expect(boundedFieldErrors(many(3, 'x'))).toEqual(many(3, 'x')));

  it('keeps a hundred', () => expect(boundedFieldErrors(many(5_000, 'x'))).toEqual(many(100, 'x')));

  it.each([
    ['long texts', 'x'.repeat(100_000)],
    ['characters that JSON escapes', '\u0001'.repeat(100_000)],
    ['lone surrogates', '\ud800'.repeat(100_000)],
    ['four-byte characters', '😀'.repeat(50_000)],
  ])('%s stay within the size', (_name, text) => {
    const bounded = boundedFieldErrors(many(100, text));
    expect(bounded.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(41 * 1024);
  });
});
