import { expect, test } from 'vitest';
import { titleOfTask } from './task-title.ts';

test.each<[string, string | null]>([
  ['Paint   the fence.\nRed.', 'Paint the fence.'],
  ['---\n\n> **Paint** the `fence`', 'Paint the fence'],
  ['# Bug\nIt creaks', 'It creaks'],
  ['## Bug', 'Bug'],
  ['Implement the following plan:\n\nSome words\n# Plan: Paint the fence\nWhite.', 'Paint the fence'],
  ['Implement the following plan:\n\nPaint the fence', 'Paint the fence'],
  ['##\n--', null],
  ['', null],
  [`${'word '.repeat(15)}word more`, `${'word '.repeat(15)}word…`],
  ['a'.repeat(80), 'a'.repeat(80)],
  ['a'.repeat(81), `${'a'.repeat(79)}…`],
  ['𐐷'.repeat(90), `${'𐐷'.repeat(79)}…`],
])('%j is called %j', (task, title) => {
  expect(titleOfTask(task)).toBe(title);
});
