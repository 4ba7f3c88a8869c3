import { expect, it } from 'vitest';
import { likelihoodText } from './likelihood-text.ts';

it.each([
  [0.99, /^About 99 of 100 texts/],
  [0.9998, /^More than 99 of 100 texts/],
  [0.5, /^About 50 of 100 texts/],
  [0.001, /^Fewer than 1 of 100 texts/],
])('a probability of %f', (confidence, text) => {
  expect(likelihoodText(confidence)).toMatch(text);
});
