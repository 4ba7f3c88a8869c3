import { expect, it } from 'vitest';
import { similarities } from './similarity.ts';

it('compares each text with the previous and the next one', () => {
  const words = [
    [0, 1],
    [2, 3],
    [0, 1],
  ].map((ids) => Uint32Array.from(ids));
  const [first, second, third] = similarities(words, ['a', 'b', 'a'], 4);
  expect(first).toEqual({ previous: 0, next: 0, ownLast: 0, past: 0, later: 1 });
  expect(second).toEqual({ previous: 0, next: 0, ownLast: 0, past: 0, later: 0 });
  expect(third).toEqual({ previous: 0, next: 0, ownLast: 1, past: 1, later: 0 });
});

it('is 0 for steps without words', () => {
  const empty = similarities([Uint32Array.of(), Uint32Array.of()], ['a', 'a'], 0);
  expect(empty.every(({ past }) => past === 0)).toBe(true);
});
