import { describe, expect, it } from 'vitest';
import { toPointer } from './field-errors.ts';

describe('toPointer', () => {
  it.each([
    [[], ''],
    [['a', 0, 'b'], '/a/0/b'],
    [['m~n', 'a/b'], '/m~0n/a~1b'],
  ])('%j is %j', (path, expected) => {
    expect(toPointer(path)).toBe(expected);
  });
});
