import { describe, expect, it } from 'vitest';
import { nextSelected, tabOf } from './issue-tabs.ts';

describe('tabOf', () => {
  it.each([
    ['resolved', 'resolved'],
    [undefined, 'open'],
    ['anything', 'open'],
  ])('the address parameter %s selects the tab %s', (requestedTab, id) => expect(tabOf(requestedTab).id).toBe(id));
});

describe('nextSelected', () => {
  it.each([
    ['a', ['a'], 'b'],
    ['b', ['b', 'c'], 'd'],
    ['d', ['d'], 'c'],
    ['d', ['c', 'd'], 'b'],
    ['b', ['a'], 'b'],
    ['a', ['a', 'b', 'c', 'd'], null],
  ])('with %s selected of a, b, c and d, a change of %j selects %s', (selected, changedIds, expected) =>
    expect(nextSelected(['a', 'b', 'c', 'd'], new Set(changedIds), selected)).toBe(expected),
  );
});
