import { expect, it } from 'vitest';
import { duration, percent } from './amounts.ts';

it.each([
  [850, '850 ms'],
  [4_200, '4.2 s'],
  [185_000, '3 min 05 s'],
  [3_599_400, '59 min 59 s'],
  [3_599_900, '1 h 00 min'],
  [47_516_000, '13 h 12 min'],
  [397_811_000, '4 d 15 h'],
])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

it.each([
  [0.874, '87 %'],
  [0.998, '99 %'],
  [1, '100 %'],
  [1.2, '120 %'],
])('the share %d is %s', (share, text) => expect(percent(share)).toBe(text));
