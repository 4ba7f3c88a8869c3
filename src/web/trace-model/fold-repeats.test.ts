import { expect, test } from 'vitest';
import { foldRepeats } from './fold-repeats.ts';

/** Siblings as letters: the same letter is a repetition, `-` is never one. */
function folded(letters: string): string {
  const repeat = Int32Array.from(letters, (letter) => (letter === '-' ? 0 : letter.charCodeAt(0)));
  const siblings = Int32Array.from(letters, (_, index) => index);
  return foldRepeats(siblings, repeat)
    .map(({ from, period, times }) => letters.slice(from, from + period) + (times > 1 ? times : ''))
    .join(' ');
}

test.each([
  ['', ''],
  ['a', 'a'],
  ['aa', 'a a'],
  ['aaa', 'a3'],
  ['---', '- - -'],
  ['aaaab', 'a4 b'],
  ['abab', 'a b a b'],
  ['ababab', 'ab3'],
  ['abababa', 'ab3 a'],
  ['abcabcabc', 'abc3'],
  ['abcdabcdabcd', 'abcd3'],
  ['abcdeabcdeabcde', 'a b c d e a b c d e a b c d e'],
  ['aabaabaab', 'aab3'],
  ['xaaayaaa', 'x a3 y a3'],
  ['a-a-a-', 'a - a - a -'],
])('%s folds to %s', (letters, expected) => {
  expect(folded(letters)).toBe(expected);
});

test('every sibling is in exactly one run, also in 100,000 of them', () => {
  const letters = 'abcab'.repeat(20_000);
  const runs = foldRepeats(
    Int32Array.from(letters, (_, index) => index),
    Int32Array.from(letters, (letter) => letter.charCodeAt(0)),
  );
  let next = 0;
  for (const { from, period, times } of runs) {
    expect(from).toBe(next);
    next += period * times;
  }
  expect(next).toBe(letters.length);
});
