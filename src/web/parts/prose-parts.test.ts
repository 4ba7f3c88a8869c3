import { expect, test } from 'vitest';
import { proseParts, withoutBackticks } from './prose-parts.ts';

test.each([
  ['plain text', [{ text: 'plain text', isCode: false }]],
  [
    'State field `total` changed',
    [
      { text: 'State field ', isCode: false },
      { text: 'total', isCode: true },
      { text: ' changed', isCode: false },
    ],
  ],
  ['one ` backtick', [{ text: 'one ` backtick', isCode: false }]],
  ['an empty `` pair', [{ text: 'an empty `` pair', isCode: false }]],
  ['', []],
])('%j', (text, parts) => {
  expect(proseParts(text)).toEqual(parts);
});

test.each([
  ['`total` became a text', 'total became a text'],
  ['one ` backtick', 'one ` backtick'],
])('%j without backticks', (text, expected) => {
  expect(withoutBackticks(text)).toBe(expected);
});
