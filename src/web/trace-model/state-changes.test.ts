import { expect, test } from 'vitest';
import { stateChanges } from './state-changes.ts';

function changeTexts(before: unknown, after: unknown): string[] {
  return stateChanges(before, after).map(({ key, kind, isBreaking }) => `${kind} ${key}${isBreaking ? ' !' : ''}`);
}

test.each([
  ['equal states', { a: [1] }, { a: [1] }, []],
  ['a new member', { a: 1 }, { a: 1, b: 2 }, ['added b']],
  ['a removed member', { a: 1, b: 2 }, { b: 2 }, ['removed a !']],
  ['a changed value', { a: 1 }, { a: 2 }, ['changed a']],
  ['a changed type', { a: [1] }, { a: 'one' }, ['changed a !']],
  ['a value that becomes null', { a: 1 }, { a: null }, ['changed a !']],
  ['the first state', undefined, { a: 1 }, ['added a']],
  ['states that are lists', [1], [1, 2], ['changed ']],
  ['a list that becomes an object', [1], { a: 1 }, ['added a', 'removed  !']],
])('the changes for %s', (_name, before, after, expected) => {
  expect(changeTexts(before, after)).toEqual(expected);
});
