import { expect, test } from 'vitest';
import { readDurationNs, readTimestampNs } from './iso-time.ts';

test.each([
  ['1970-01-01T00:00:01Z', 1_000_000_000n],
  ['2025-03-19T16:32:08.062589Z', 1_742_401_928_062_589_000n],
  ['2025-03-19T16:32:08.062589', 1_742_401_928_062_589_000n],
  ['2025-03-19T17:32:08.000000001+01:00', 1_742_401_928_000_000_001n],
  ['1969-12-31T23:59:59Z', null],
  ['2025-13-19T16:32:08Z', null],
  ['yesterday', null],
])('time %s', (text, ns) => {
  expect(readTimestampNs(text)).toBe(ns);
});

test.each([
  ['PT0.000047S', 47_000n],
  ['PT1M48.75533S', 108_755_330_000n],
  ['PT1H2M3S', 3_723_000_000_000n],
  ['P1DT1S', 86_401_000_000_000n],
  ['1.5', null],
  ['PT1.5M', null],
])('duration %s', (text, ns) => {
  expect(readDurationNs(text)).toBe(ns);
});
