import { expect, test } from 'vitest';
import { barLabelPlace } from './bar-label.ts';

test.each([
  [0, 0.01, 'after'],
  [0.5, 0.88, 'after'],
  [0.5, 0.95, 'before'],
  [0.99, 1, 'before'],
  [0, 1, 'inside'],
  [0.05, 0.9, 'inside'],
] as const)('the duration of a bar from %s to %s is %s it', (from, to, place) =>
  expect(barLabelPlace(from, to)).toBe(place),
);
