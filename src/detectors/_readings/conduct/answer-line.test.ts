import { expect, test } from 'vitest';
import { answerLine, answerSummary, isBare } from './answer-line.ts';

test.each<[string, string, string]>([
  [
    'the output, not the exit code above it',
    'exitcode: 1 (execution failed)\nCode output: unknown language',
    'Code output: unknown language',
  ],
  [
    'the exception of a traceback',
    'exitcode: 1\nTraceback (most recent call last):\n  File "a.py"\nKeyError: 3\n',
    'KeyError: 3',
  ],
  [
    'the line of code above a marker',
    '  File "a.py", line 7\n    if ready\n            ^\nSyntaxError: invalid syntax\n',
    'if ready ^ SyntaxError: invalid syntax',
  ],
  [
    'the code above an exception without a message',
    'Traceback (most recent call last):\n  File "a.py", line 3, in test_loaf\n    assert bake(2) == 4\nAssertionError\n',
    'assert bake(2) == 4 AssertionError',
  ],
  ['the exit code if there is nothing else', 'exitcode: 1 (execution failed)', 'exitcode: 1 (execution failed)'],
])('%s', (_, value, line) => {
  expect(answerLine(value)).toBe(line);
});

test.each<[string, string, string]>([
  [
    'a short answer as a whole',
    'exitcode: 2\nTESTS FAILED\n\nlathe: no file x.py',
    'TESTS FAILED | lathe: no file x.py',
  ],
  ['the decisive line of a long answer', 'a\nb\nc\nd\nValueError: 3', 'ValueError: 3'],
])('summary: %s', (_, value, summary) => {
  expect(answerSummary(value)).toBe(summary);
});

test.each<[string, boolean]>([
  ['That was not it, once more.', true],
  ['2/3 cases failed', true],
  ['case "rye" failed', false],
  ['line 4: wrong', false],
  ['expected 4.5', false],
  ['src/oven.py is wrong', false],
])('%s', (entry, isWithout) => {
  expect(isBare(entry)).toBe(isWithout);
});
