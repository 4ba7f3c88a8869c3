import { expect, test } from 'vitest';
import { shortened } from './shortened.ts';

test.each([
  ['', 5, ''],
  ['agent', 5, 'agent'],
  ['agents', 5, 'agent…'],
  ['four😀', 5, 'four…'],
  ['four😀s', 6, 'four😀…'],
])('%j with at most %i characters is %j', (text, maxLength, expected) =>
  expect(shortened(text, maxLength)).toBe(expected),
);
