import { expect, test } from 'vitest';
import { kindWords } from './kind-words.ts';

test.each([
  [['loop'], 'loop'],
  [['state_corruption', 'field_vanished'], 'state corruption · field vanished'],
])('%j is shown as %s', (parts, words) => {
  expect(kindWords(...parts)).toBe(words);
});
