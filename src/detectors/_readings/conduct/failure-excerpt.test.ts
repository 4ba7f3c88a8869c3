import { expect, test } from 'vitest';
import { failureExcerpt } from './failure-excerpt.ts';

const STACK = Array.from(
  { length: 30 },
  (_, at) => `    at step${at} (file:///srv/cart/node_modules/runner/lib/step.js:${at}:7)`,
);

test.each<[string, string, string, string]>([
  [
    'the assertion, not the stack after it',
    ['> cart@1.0.0 test', 'collected 2', 'AssertionError: 43 !== 44', ...STACK, 'exit status: 1'].join('\n'),
    'AssertionError: 43 !== 44\n    at step0',
    'step.js:2:7)',
  ],
  ['a line of pytest', 'test_cart.py F\n\nE       assert 43 == 44\n\n1 failed', 'E       assert 43 == 44', '1 failed'],
  [
    'the end, in whole lines, if no line says what failed',
    `${'word '.repeat(100)}\n${'tail '.repeat(20)}\nlast line`,
    'tail tail',
    'last line',
  ],
  [
    'the error, not a line of code with a name that begins like a mark',
    '  File "cart.py", line 4\n    expected_sum = 3 else 4\n                 ^^^^\nSyntaxError: invalid syntax',
    'SyntaxError: invalid syntax',
    'SyntaxError: invalid syntax',
  ],
  ['the whole of a short output', '2 failed, 7 passed', '2 failed', '7 passed'],
])('%s', (_, output, begins, ends) => {
  const excerpt = failureExcerpt(output);
  expect(excerpt.startsWith(begins)).toBe(true);
  expect(excerpt.endsWith(ends)).toBe(true);
  expect(output).toContain(excerpt);
});
