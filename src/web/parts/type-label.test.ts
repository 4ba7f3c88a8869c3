import { expect, test } from 'vitest';
import { typeLabel } from './type-label.ts';

test.each([
  [['loop'], 'loop'],
  [['state_corruption', 'field_vanished'], 'state corruption · field vanished'],
])('%j is shown as %s', (parts, label) => {
  expect(typeLabel(...parts)).toBe(label);
});
