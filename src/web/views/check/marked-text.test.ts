import { expect, it } from 'vitest';
import { markedPieces } from './marked-text.ts';

const rendered = (text: string, ...matches: [number, number][]) =>
  markedPieces(
    text,
    matches.map(([start, end]) => ({ start, end })),
  )
    .map(({ kind, text: part }) => (kind === 'marked' ? `[${part}]` : kind === 'gap' ? `(${part})` : part))
    .join('');

it.each<[string, [number, number][], string]>([
  ['', [], ''],
  ['abc', [], 'abc'],
  ['abcdef', [[1, 3]], 'a[bc]def'],
  ['abcdef', [[0, 6]], '[abcdef]'],
  [
    'abcdef',
    [
      [4, 5],
      [0, 2],
    ],
    '[ab]cd[e]f',
  ],
  // The narrower of two nested matches.
  [
    'abcdef',
    [
      [0, 6],
      [2, 4],
    ],
    'ab[cd]ef',
  ],
  ['abcdef', [[3, 3]], 'abcdef'],
])('the pieces of %j with the matches %j', (text, matches, expected) =>
  expect(rendered(text, ...matches)).toBe(expected),
);

it('shortens a long text to the surroundings of its match', () => {
  const long = 'a'.repeat(5_000);
  const around = 'a'.repeat(200);
  const gap = '(… 4,800 characters …)';
  expect(rendered(`${long}X${long}`, [5_000, 5_001])).toBe(`${gap}${around}[X]${around}${gap}`);
  expect(rendered(long)).toBe(`${around}(… 4,600 characters …)${around}`);
});

it('limits the length and the number of marks', () => {
  const marked = markedPieces('b'.repeat(10_000), [{ start: 0, end: 10_000 }]);
  expect(marked.map(({ text }) => text.length)).toEqual([2_000, 20]);
  const many = Array.from({ length: 500 }, (_, index) => ({ start: index * 2, end: index * 2 + 1 }));
  expect(markedPieces('c'.repeat(1_000), many).filter(({ kind }) => kind === 'marked')).toHaveLength(50);
});
