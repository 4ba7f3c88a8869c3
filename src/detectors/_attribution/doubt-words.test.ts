import { expect, test } from 'vitest';
import { countDoubts } from './doubt-words.ts';

test.each([
  { text: 'Done.', hedge: 0, condition: 0, guess: 0, negation: 0 },
  { text: 'It MIGHT work, but perhaps it should wait.', hedge: 4, condition: 2, guess: 2, negation: 0 },
  { text: "It doesn't, it won’t, it is not there.", hedge: 0, condition: 0, guess: 0, negation: 3 },
  { text: 'A button in a notebook of Noah.', hedge: 0, condition: 0, guess: 0, negation: 0 },
])('$text', ({ text, ...counts }) => {
  expect(countDoubts([text])).toEqual(counts);
});

test('adds the counts of all texts', () => {
  expect(countDoubts(['maybe', 'no, maybe not'])).toEqual({ hedge: 2, condition: 0, guess: 2, negation: 2 });
});
