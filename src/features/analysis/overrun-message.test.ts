import { expect, it } from 'vitest';
import { overrunMessage } from './overrun-message.ts';

it.each([
  [5_012.3, 'cut off after 5.0 s'],
  [null, 'not run, since the time for the trace was up'],
])('%s ms are told', (ms, words) => {
  expect(overrunMessage({ type: 'loop', ms })).toBe(words);
});
