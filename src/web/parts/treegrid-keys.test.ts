import { expect, test } from 'vitest';
import { type FocusedRow, treegridAction } from './treegrid-keys.ts';

const MIDDLE: FocusedRow = { row: 5, total: 20, pageRows: 8, isExpanded: null, parentRow: 2 };

test.each<[string, string, Partial<FocusedRow>, object | null]>([
  ['the next row', 'ArrowDown', {}, { kind: 'focus', row: 6 }],
  ['the row before', 'ArrowUp', {}, { kind: 'focus', row: 4 }],
  ['the last row, and no further', 'ArrowDown', { row: 19 }, { kind: 'focus', row: 19 }],
  ['a page on', 'PageDown', {}, { kind: 'focus', row: 13 }],
  ['a page back, to the first row', 'PageUp', {}, { kind: 'focus', row: 0 }],
  ['the first row', 'Home', {}, { kind: 'focus', row: 0 }],
  ['the last row', 'End', {}, { kind: 'focus', row: 19 }],
  ['opens a closed row', 'ArrowRight', { isExpanded: false }, { kind: 'expand' }],
  ['goes to the first child', 'ArrowRight', { isExpanded: true }, { kind: 'focus', row: 6 }],
  ['stays on a row without children', 'ArrowRight', {}, null],
  ['closes an open row', 'ArrowLeft', { isExpanded: true }, { kind: 'collapse' }],
  ['goes to the parent of a closed row', 'ArrowLeft', { isExpanded: false }, { kind: 'focus', row: 2 }],
  ['goes to the parent of a row without children', 'ArrowLeft', {}, { kind: 'focus', row: 2 }],
  ['stays on a closed row of the first level', 'ArrowLeft', { isExpanded: false, parentRow: -1 }, null],
  ['does nothing in an empty grid', 'ArrowDown', { total: 0 }, null],
  ['ignores other keys', 'a', {}, null],
])('%s (%s)', (_name, key, change, expected) => {
  expect(treegridAction(key, { ...MIDDLE, ...change })).toEqual(expected);
});
