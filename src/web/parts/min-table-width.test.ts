import { expect, test } from 'vitest';
import { minTableWidth } from './min-table-width.ts';

test.each([
  [1, 0],
  [3, 0],
  [4, 560],
  [5, 560],
  [6, 800],
  [10, 800],
])('a table with %i columns needs %i px', (columns, width) => expect(minTableWidth(columns)).toBe(width));
