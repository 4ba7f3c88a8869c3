import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 2);

it.each([
  ['2', 2_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Fri, 02 Jan 2026 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
  ['soon', null],
  ['-3', null],
  ['', null],
  [null, null],
  ['1e9', null],
])('%s', (header, expected) => expect(retryAfterMs(header, NOW)).toBe(expected));
