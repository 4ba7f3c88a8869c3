import { expect, test } from 'vitest';
import { isProse, proseParts, withoutBackticks } from './prose-parts.ts';

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

test.each([
  ['Stop the agent in a `step_callback` at the third identical search.', true],
  ['client = OpenAI(max_retries=2, timeout=60)', false],
  ['on stop: if the last three calls failed, report the run as failed', false],
  ['@retry(stop=stop_after_attempt(3))\ndef search(…):', false],
  ['Retry.', false],
])('%j is prose: %s', (text, expected) => {
  expect(isProse(text)).toBe(expected);
});
