import { expect, test } from 'vitest';
import { type FocusedRow, treegridAction } from './treegrid-keys.ts';

const MIDDLE: FocusedRow = { row: 5, total: 20, pageRows: 8, isExpanded: null, parentRow: 2 };

test.each<[string, string, Partial<FocusedRow>, object | null]>([
  ['moves to the next row', 'ArrowDown', {}, { kind: 'focus', row: 6 }],
  ['moves to the previous row', 'ArrowUp', {}, { kind: 'focus', row: 4 }],
  ['does not move past the last row', 'ArrowDown', { row: 19 }, { kind: 'focus', row: 19 }],
  ['moves one page down', 'PageDown', {}, { kind: 'focus', row: 13 }],
  ['moves one page up, to the first row', 'PageUp', {}, { kind: 'focus', row: 0 }],
  ['moves to the first row', 'Home', {}, { kind: 'focus', row: 0 }],
  ['moves to the last row', 'End', {}, { kind: 'focus', row: 19 }],
  ['expands a collapsed row', 'ArrowRight', { isExpanded: false }, { kind: 'expand' }],
  ['moves to the first child', 'ArrowRight', { isExpanded: true }, { kind: 'focus', row: 6 }],
  ['stays on a row without children', 'ArrowRight', {}, null],
  ['collapses an expanded row', 'ArrowLeft', { isExpanded: true }, { kind: 'collapse' }],
  ['moves to the parent of a collapsed row', 'ArrowLeft', { isExpanded: false }, { kind: 'focus', row: 2 }],
  ['moves to the parent of a row without children', 'ArrowLeft', {}, { kind: 'focus', row: 2 }],
  ['stays on a collapsed row of the first level', 'ArrowLeft', { isExpanded: false, parentRow: -1 }, null],
  ['does nothing in an empty grid', 'ArrowDown', { total: 0 }, null],
  ['ignores other keys', 'a', {}, null],
])('%s (%s)', (_name, key, change, expected) => {
  expect(treegridAction(key, { ...MIDDLE, ...change })).toEqual(expected);
});
