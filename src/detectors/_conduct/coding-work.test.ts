import { expect, test } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { codingWork } from './coding-work.ts';

function workOf(line: string): string {
  const [work] = codingWork(parseTrace(`agent dev\n${line}`));
  return `${work!.kind}${work!.hasPassed === null ? '' : work!.hasPassed ? ' passed' : ' failed'}`;
}

function shell(command: string, result = ''): string {
  return workOf(`tool bash ${JSON.stringify({ command })} -> ${JSON.stringify(result)}`);
}

test.each([
  ['pytest tests/test_cart.py', '3 passed in 0.1s', 'suite passed'],
  ['cd app && npm test', '2 failed, 1 passed', 'suite failed'],
  ['python3 tests/runtests.py forms', 'FAILED (failures=2)', 'suite failed'],
  ['bin/test core', '<returncode>0</returncode>', 'suite passed'],
  ['go test ./...', '--- FAIL: TestSum', 'suite failed'],
  ['pytest', 'bash: pytest: command not found', 'suite'],
  ['python reproduce_issue.py', 'ok', 'check'],
  ['tsc --noEmit', '<returncode>2</returncode>', 'check failed'],
  ["sed -i 's/a/b/' src/cart.py", '', 'edit'],
  ['cat <<EOF > src/cart.py\nx = 1\nEOF', '', 'edit'],
  ['cat <<EOF > reproduce_issue.py\nx = 1\nEOF', '', 'other'],
  ["sed -n '1,9p' src/cart.py", 'x', 'other'],
  ['git diff', '', 'other'],
  ['git commit -am done', '', 'submit'],
  ['grep -rn pytest .', '', 'other'],
])('%s with "%s" is %s', (command, result, expected) => {
  expect(shell(command, result)).toBe(expected);
});

test.each([
  ['tool Edit {"file_path":"a.ts","new_string":"x"} -> "ok"', 'edit'],
  ['tool Write {"file_path":"notes.md","content":"x"} -> "ok"', 'other'],
  ['tool str_replace_editor {"command":"view","path":"a.py"} -> "x"', 'other'],
  ['tool run_tests {} -> "12 passed"', 'suite passed'],
  ['tool submit {} -> "ok"', 'submit'],
  ['tool get_order {"id":7} -> "open"', 'other'],
])('%s is %s', (line, expected) => {
  expect(workOf(line)).toBe(expected);
});
