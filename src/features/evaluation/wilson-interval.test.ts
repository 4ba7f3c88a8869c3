import { expect, test } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

test.each([
  [0, 0, [0, 1]],
  [0, 10, [0, 0.2775]],
  [5, 10, [0.2366, 0.7634]],
  [81, 263, [0.2553, 0.3662]],
  [10, 10, [0.7225, 1]],
])('%i of %i', (hits, n, [low, high]) => {
  const interval = wilsonInterval(hits, n);
  expect(interval[0]).toBeCloseTo(low!, 4);
  expect(interval[1]).toBeCloseTo(high!, 4);
});
