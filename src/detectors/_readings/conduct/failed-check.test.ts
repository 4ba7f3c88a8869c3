import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { failedCheckText, lastEditText } from './failed-check.ts';

test.each<[string, string, string]>([
  ['Node, as a difference', 'AssertionError: not equal:\n+ actual - expected\n\n+ 3\n- 4\n', 'expected 4, got 3'],
  [
    'Node, as properties',
    "Error {\n  actual: 'rye',\n  expected: 'spelt',\n  operator: 'is'\n}",
    "expected 'spelt', got 'rye'",
  ],
  ['Jest', '● loaf\n\n    Expected: 4\n    Received: 3\n', 'expected 4, got 3'],
  ['pytest', 'def test_loaf():\nE       assert bake(2) == 4\n', 'expected 4, got bake(2)'],
  ['one line', 'AssertionError [ERR_ASSERTION]: 3 !== 4', 'expected 4, got 3'],
  ['no values', 'FAILED test_loaf', '"FAILED test_loaf"'],
  ['nothing', '', ''],
])('%s', (_, output, text) => {
  expect(failedCheckText(output)).toBe(text);
});

test('the file of the last edit before a step', () => {
  const trace = parseTrace(
    [
      'agent dev',
      'tool edit_file {"path":"a.ts"} -> "ok"',
      'tool bash {"command":"npm test"} exit 1 -> "3 failed"',
    ].join('\n'),
  );
  expect(lastEditText(trace, 1)).toBe('a.ts (edited last, at step 0)');
  expect(lastEditText(trace, 0)).toBeNull();
});

test('the file of a patch', () => {
  const patch = '*** Begin Patch\\n*** Update File: src/oven.ts\\n@@\\n-a\\n+b\\n*** End Patch';
  const trace = parseTrace(
    `agent dev\ntool apply_patch {"input":"${patch}"} -> "done"\ntool bash {"command":"npm test"} -> "x"`,
  );
  expect(lastEditText(trace, 1)).toBe('src/oven.ts (edited last, at step 0)');
});

test('the file of a command that edits', () => {
  const trace = parseTrace(
    `agent dev\ntool bash {"command":"sed -i s/rye/spelt/ src/oven.ts"} exit 0 -> ""\ntool bash {"command":"npm test"} -> "x"`,
  );
  expect(lastEditText(trace, 1)).toBe('src/oven.ts (edited last, at step 0)');
});
