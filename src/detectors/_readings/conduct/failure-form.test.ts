import { expect, test } from 'vitest';
import { failureLine, hasFailureForm } from './failure-form.ts';

test.each([
  ['Traceback (most recent call last):\n  File "a.py", line 3\n    f()\nKeyError: 7\nBye.', 'KeyError: 7'],
  ['Building.\nmill.c:4:7: error: unknown type name\n1 error generated.', 'mill.c:4:7: error: unknown type name'],
  ['bash: line 3: mill: command not found\n', 'bash: line 3: mill: command not found'],
  ["{'error': 'no such mill'}", "{'error': 'no such mill'}"],
  ['exitcode: 1 (failed)\nCode output:\n', 'exitcode: 1 (failed)'],
  ['Case 2: assert grind(2) == 4\nTry again.', 'Case 2: assert grind(2) == 4'],
])('%j has the form of a failure', (text, line) => {
  expect(hasFailureForm(text)).toBe(true);
  expect(failureLine(text)).toBe(line);
});

test.each([
  'The error was found in the mill.',
  'exit code 0',
  '3 passed',
  'No errors, no warnings.',
  'class GrainError(Exception):',
  'Command: grind\nOutput: (empty)\nError: (none)\nSignal: 0',
  'error: None',
  'fatal: null',
  `error: ${'x'.repeat(700)}`,
  '',
])('%j does not have the form of a failure', (text) => {
  expect(hasFailureForm(text)).toBe(false);
});

test('the last line with words if there is no such line', () => {
  expect(failureLine('grinding\nstill grinding\n---\n')).toBe('still grinding');
});
