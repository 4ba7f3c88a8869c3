import { expect, it } from 'vitest';
import { toByteSize } from './byte-size.ts';

it.each([
  ['256MiB', 268_435_456],
  ['1GiB', 1_073_741_824],
  ['1.5 gb', 1_500_000_000],
  ['10kb', 10_000],
  ['4096', 4096],
  ['0', 0],
  ['', 7],
  [undefined, 7],
])('%j is %d bytes', (text, bytes) => expect(toByteSize('--min-free', text, 7)).toBe(bytes));

it.each(['-1', 'much', '1PiB', '1e3', 'MiB', '99999999TiB'])('%j is refused, with the name of the flag', (text) =>
  expect(() => toByteSize('--min-free', text, 7)).toThrow(/^--min-free takes a size/),
);
