import { describe, expect, test } from 'vitest';
import { isSameNumber, numberAnswer } from './final-answer.ts';

const ROWS: [said: string, value: number | null][] = [
  ['So it is \\boxed{1,250}.', 1250],
  ['First \\boxed{3}, no: \\boxed{4}', 4],
  ['Final answer: $12.50', 12.5],
  ['\\boxed{x + 1}', null],
  ['There are 12 of them.', null],
];

describe('number given as the answer', () => {
  test.each(ROWS)('%s', (entry, value) => {
    expect(numberAnswer(entry)?.value ?? null).toBe(value);
  });

  test('rounding makes no difference, a wrong digit does', () => {
    expect(isSameNumber(33.333, 33.33)).toBe(true);
    expect(isSameNumber(1_201_543, 1_201_587)).toBe(false);
    expect(isSameNumber(34, 33)).toBe(false);
  });
});
