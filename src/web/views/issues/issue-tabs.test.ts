import { describe, expect, it } from 'vitest';
import { nextSelected, tabOf } from './issue-tabs.ts';

describe('the tab of an address', () => {
  it.each([
    ['resolved', 'resolved'],
    [undefined, 'open'],
    ['anything', 'open'],
  ])('%s: %s', (asked, id) => expect(tabOf(asked).id).toBe(id));
});

describe('the row after an action', () => {
  it.each([
    ['a', ['a'], 'b'],
    ['b', ['b', 'c'], 'd'],
    ['d', ['d'], 'c'],
    ['d', ['c', 'd'], 'b'],
    ['b', ['a'], 'b'],
    ['a', ['a', 'b', 'c', 'd'], null],
  ])('%s of a b c d, when %j are gone: %s', (selected, acted, expected) =>
    expect(nextSelected(['a', 'b', 'c', 'd'], new Set(acted), selected)).toBe(expected),
  );
});
