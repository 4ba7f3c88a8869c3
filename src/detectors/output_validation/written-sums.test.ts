import { expect, test } from 'vitest';
import { writtenSums } from './written-sums.ts';

const ROWS: [text: string, sums: [written: number, right: number][]][] = [
  ['In all 120 + 34 - 4 = 140 seats.', [[140, 150]]],
  ['= 6 + 5 - 2\n  = 6 + 3\n  = 10', [[10, 9]]],
  ['total = $4 * $10 + 6 × $20 = $200', [[200, 160]]],
  ['1,200 + 34 = 1,234', [[1234, 1234]]],
  ['5 - 7 = -2', [[-2, -2]]],
  ['(3 + 4) * 2 + 1 = 15, 70 / 2 + 1 = 36', []],
  ['2 + 3 = 5 * 1', []],
  ['x2 + 3 = 9, 20% + 5 = 25, 3 times 4 + 1 = 13', []],
  ['- 4\n- 2 = 2', []],
  ['x = 4', []],
];

test.each(ROWS)('%s', (text, sums) => {
  expect(writtenSums(text).map(({ written, right }) => [written, right])).toEqual(sums);
});
