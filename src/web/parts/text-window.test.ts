import { expect, test } from 'vitest';
import { firstWindow, moreAfter, moreBefore, piecesOf } from './text-window.ts';

const long = `${'a'.repeat(50_000)}needle${'b'.repeat(50_000)}`;

test.each([
  ['a short text', 'abc', null, { from: 0, to: 3 }],
  ['a long text', long, null, { from: 0, to: 4_000 }],
  ['a quote further down', long, 'needle', { from: 49_400, to: 53_400 }],
  ['a missing quote', long, 'elsewhere', { from: 0, to: 4_000 }],
  ['a quote at the start', `needle${long}`, 'needle', { from: 0, to: 4_000 }],
  ['a surrogate pair at the boundary', `a${'😀'.repeat(5_000)}`, null, { from: 0, to: 3_999 }],
])('the first window of %s', (_name, text, quote, expected) => {
  expect(firstWindow(text, quote)).toEqual(expected);
});

test('moreBefore and moreAfter extend the window up to the ends of the text', () => {
  const first = firstWindow(long, 'needle');
  expect(moreBefore(long, first)).toEqual({ from: 29_400, to: 53_400 });
  expect(moreAfter(long, first)).toEqual({ from: 49_400, to: 73_400 });
  expect(moreAfter('abc', { from: 0, to: 3 })).toEqual({ from: 0, to: 3 });
  expect(moreBefore('abc', { from: 1, to: 3 })).toEqual({ from: 0, to: 3 });
});

test.each([
  ['x ab ab', 'ab', ['x ', '*ab', ' ', '*ab']],
  ['abab', 'ab', ['*ab', '*ab']],
  ['x', 'ab', ['x']],
  ['x', null, ['x']],
])('the pieces of "%s" with the quote "%s"', (text, quote, expected) => {
  const pieces = piecesOf(text, { from: 0, to: text.length }, quote);
  expect(pieces.map(({ text: piece, isQuote }) => (isQuote ? `*${piece}` : piece))).toEqual(expected);
});

test('marks at most twenty quotes', () => {
  const pieces = piecesOf('a'.repeat(10_000), { from: 0, to: 10_000 }, 'a');
  expect(pieces.filter(({ isQuote }) => isQuote).length).toBeLessThanOrEqual(40);
  expect(pieces.map(({ text }) => text).join('')).toHaveLength(10_000);
});
