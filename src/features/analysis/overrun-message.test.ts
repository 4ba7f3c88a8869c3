import { expect, it } from 'vitest';
import { overrunMessage } from './overrun-message.ts';

it.each([
  [5_012.3, 'cut off after 5.0 s'],
  [null, 'not run, since the time for the trace was up'],
])('overrunMessage(%s) is "%s"', (ms, words) => {
  expect(overrunMessage({ type: 'loop', ms })).toBe(words);
});
