import { expect, it } from 'vitest';
import { lineDifference } from './line-difference.ts';

it.each([
  ['equal lists', ['a/b warning @1'], ['a/b warning @1'], [[], [], []]],
  ['another step', ['a/b warning @1'], ['a/b warning @2'], [[], [], ['a/b warning']]],
  ['another severity', ['a/b warning @1'], ['a/b info @1'], [['a/b warning'], ['a/b info'], []]],
  ['one of two', ['a/b warning @1', 'a/b warning @2'], ['a/b warning @2'], [['a/b warning'], [], []]],
  ['one more', ['a/b warning @1'], ['a/b warning @1', 'a/b warning @4'], [[], ['a/b warning'], []]],
])('%s', (_, before, after, [lost, gained, moved]) => {
  expect(lineDifference(before, after)).toEqual({ lost, gained, moved });
});
