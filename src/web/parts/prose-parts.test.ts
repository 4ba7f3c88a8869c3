import { expect, test } from 'vitest';
import { proseParts } from './prose-parts.ts';

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
