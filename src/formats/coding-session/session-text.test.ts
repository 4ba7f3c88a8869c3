import { describe, expect, test } from 'vitest';
import { exitCodeIn } from './exit-code.ts';
import { sessionName, titleOrNull } from './session-name.ts';
import { isBareCommand, userText } from './user-text.ts';

test.each<[string, number | null]>([
  ['Output: x\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 7', 1],
  ['x\n\n\nCommand exited with code 3', 3],
  ['[Command exited with code 2]\n\n[stderr]\nx', 2],
  ['x\n<shellId: build-1 completed with exit code 0>', 0],
  ['Exit Code: -1', -1],
  ['it exited with code 1 once', null],
  ['npm error: Exit Code: 1', null],
  [`Exit Code: 1\n${'line\n'.repeat(20)}`, 1],
  [`a\nExit Code: 1\n${'line\n'.repeat(20)}`, null],
  ['', null],
])('%j has the exit code %j', (text, code) => {
  expect(exitCodeIn(text)).toBe(code);
});

describe('a session is named', () => {
  test.each<[string | null, string | null, string]>([
    ['The title', 'The task', 'The title'],
    [null, '\n  Paint   the fence \nred', 'Paint the fence'],
    [null, '# Bug\nIt creaks', 'It creaks'],
    [null, '## Bug', 'Bug'],
    [null, null, 'other'],
    [null, '##', 'other'],
    [null, `${'word '.repeat(30)}`, `${'word '.repeat(15)}word…`],
  ])('by title %j or task %j', (title, task, name) => {
    expect(sessionName(title, task, 'other')).toBe(name);
  });

  test.each([
    ['Fix it', 'Fix it'],
    ['  ', null],
    ['Thread 0b5c1f0e-8d3b-4a39-9a42-30a8d6b4a111', null],
  ])('a title %j counts as %j', (title, known) => {
    expect(titleOrNull(title)).toBe(known);
  });
});

test.each([
  ['Go', 'Go'],
  ['<host_context>\nrules </b>\n</host_context>\n\n<system-reminder>x</system-reminder> Go', 'Go'],
  ['<host_context>never closed', '<host_context>never closed'],
  ['<div>Why is this div wide?</div>', '<div>Why is this div wide?</div>'],
  ['<user_context>only</user_context>', ''],
])('the user text of %j is %j', (text, typed) => {
  expect(userText(text)).toBe(typed);
});

test.each([
  ['/model', true],
  ['/review src', false],
  ['model', false],
])('%j is a bare command: %j', (text, is) => {
  expect(isBareCommand(text)).toBe(is);
});
