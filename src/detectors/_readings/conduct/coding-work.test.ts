import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
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
  ['make test', 'ok shop/cart 0.1s\nmake: *** [Makefile:7: test] Error 1', 'suite failed'],
  ['make -j4 check', 'PASS\nmake[1]: *** [lint] Error 2\nmake: *** [check] Error 2', 'suite failed'],
  ['make test', 'echo make: *** done\n7 passed', 'suite passed'],
  ['pytest', 'bash: pytest: command not found', 'suite'],
  ['pytest slow', 'ERROR: file or directory not found: slow\n<returncode>4</returncode>', 'suite'],
  ['pytest slow | tail -3', 'no tests ran in 0.01s\nexit code: 0', 'suite'],
  ['npm ci', '<returncode>1</returncode>', 'check failed'],
  ['uv run ruff check src', '<returncode>1</returncode>', 'check failed'],
  ['uv run pytest tests/check', '<returncode>1</returncode>', 'suite failed'],
  ['python reproduce_issue.py', 'ok', 'check'],
  ['tsc --noEmit', '<returncode>2</returncode>', 'check failed'],
  ["sed -i 's/a/b/' src/cart.py", '', 'edit'],
  ['cat <<EOF > src/cart.py\nx = 1\nEOF', '', 'edit'],
  ['cat <<EOF > reproduce_issue.py\nx = 1\nEOF', '', 'other'],
  ['cat <<EOF > src/cart.py\nx = 1\nEOF\npython3.11 src/cart.py', 'ok', 'check'],
  ['cat > src/cart.py <<EOF && python src/cart.py\nx = 1\nEOF', 'ok', 'check'],
  ["cat <<'EOF' > src/cart.py; python3 src/cart.py\nx = 1\nEOF", 'ok', 'check'],
  ['cat > src/cart.py <<EOF && git add src/cart.py\nx = 1\nEOF', '', 'edit'],
  ["cat > tests/test_cart.py <<-'END'\nassert 1\nEND\npytest -q", '1 passed in 0.1s', 'suite passed'],
  ['cat <<EOF > src/cart.py\npython src/other.py\nEOF', '', 'edit'],
  ['python3.11 reproduce_issue.py', 'ok', 'check'],
  ["sed -n '1,9p' src/cart.py", 'x', 'other'],
  ['git diff', '', 'other'],
  ['git commit -am done', '', 'submit'],
  ['echo ALL_DONE && git add -A && git diff --cached', 'diff --git a/a.py b/a.py', 'submit'],
  ['rm repro.py\necho "task-finished-now"', '', 'submit'],
  ['echo FINISHED', '', 'submit'],
  ["sed -i 's/a/b/' src/cart.py && echo ALL_DONE", '', 'edit'],
  ['echo done', '', 'other'],
  ['echo "$TOTAL_SUM"', '', 'other'],
  ['grep -rn pytest .', '', 'other'],
])('%s with "%s" is %s', (command, result, expected) => {
  expect(shell(command, result)).toBe(expected);
});

test.each([
  ['tool Edit {"file_path":"a.ts","new_string":"x"} -> "ok"', 'edit'],
  ['tool Write {"file_path":"notes.md","content":"x"} -> "ok"', 'other'],
  ['tool replace {"file_path":"src/a.py","old_string":"x","new_string":"y"} -> "ok"', 'edit'],
  ['tool replace {"text":"a.py","old_string":"x","new_string":"y"} -> "ok"', 'other'],
  ['tool create {"path":"src/a.py","file_text":"y"} -> "ok"', 'edit'],
  ['tool create {"name":"order"} -> "ok"', 'other'],
  ['tool str_replace_editor {"command":"view","path":"a.py"} -> "x"', 'other'],
  ['tool apply_patch "*** Begin Patch\\n*** Update File: src/a.py\\n@@\\n-x\\n+y\\n*** End Patch" -> "ok"', 'edit'],
  ['tool apply_patch {"input":"*** Begin Patch\\n*** Add File: src/a.py\\n+y\\n*** End Patch"} -> "ok"', 'edit'],
  ['tool apply_patch {"input":"*** Begin Patch\\n*** Add File: notes.md\\n+y\\n*** End Patch"} -> "ok"', 'other'],
  ['tool run_tests {} -> "12 passed"', 'suite passed'],
  ['tool submit {} -> "ok"', 'submit'],
  ['tool get_order {"id":7} -> "open"', 'other'],
])('%s is %s', (line, expected) => {
  expect(workOf(line)).toBe(expected);
});

test('a marker that is printed before the last call is no submission', () => {
  const trace = parseTrace(
    'agent dev\ntool bash {"command":"echo ALL_DONE"} -> "ALL_DONE"\ntool bash {"command":"git diff"} -> ""',
  );
  expect(codingWork(trace).map(({ kind }) => kind)).toEqual(['other', 'other']);
});

function inProject(lines: string): string[] {
  return codingWork(parseTrace(`agent dev\nin "/tmp/ci/shop"\n${lines}`)).map(
    ({ kind, hasPassed }) => `${kind}${hasPassed === null ? '' : hasPassed ? ' passed' : ' failed'}`,
  );
}

test.each([
  'mise run test',
  'mise run test:ci && mise run lint',
  'just test',
  'task test',
  'make test',
  'make -C app check',
  'npx nx test shop',
  'turbo run test',
  'moon run shop:test',
  'pre-commit run --all-files',
  'uv run pytest -q',
  'poetry run pytest',
  'hatch run test',
  'hatch test',
  'pdm run test',
  'bundle exec rspec',
  './scripts/test.sh',
  './scripts/run-tests',
  'bin/test',
  'npm run test:unit',
  'pnpm -r test',
  'pnpm --filter shop test',
  'yarn workspace shop test',
  'bun test',
  'bun run test',
  'node --test',
  'node --test test/',
  'node test.js',
  'node test/run.mjs',
  'python tests/test_cart.py',
  'python -m pytest tests',
  'python3 tests/run.py',
  'go test ./...',
  'cargo nextest run',
  'deno task test',
  'composer test',
  'cd app && npx playwright test',
  'CI=1 npm t',
  'swift test',
  'timeout 60 node test.js 2>&1 | tail -5',
])('%s runs tests', (command) => expect(shell(command)).toBe('suite'));

test.each([
  ['node build.js', 'check'],
  ['python repro_test_issue.py', 'check'],
  ['npm run build', 'check'],
  ['mise run build', 'check'],
  ['./scripts/release.sh', 'check'],
  ['cat tests/test_cart.py', 'other'],
  ['git commit -m "run the test"', 'submit'],
  ['mise run test && git commit -am done', 'suite'],
])('%s is %s', (command, kind) => expect(shell(command)).toBe(kind));

test.each([
  ['./verify', 'ok  \tshop/cart\t0.12s', 'suite passed'],
  ['./verify', '--- PASS: TestSum (0.00s)\nPASS', 'suite passed'],
  ['./verify', '=== 12 passed in 0.3s ===', 'suite passed'],
  ['docker compose run app', 'TAP version 13\nok 1 - adds up\n# pass 1\n# fail 0', 'suite passed'],
  ['./verify', '3 passed, 1 failed', 'suite failed'],
  ['cat run.log', '=== 12 passed in 0.3s ===', 'other'],
])('%s with the output "%s" is %s', (command, result, expected) => {
  expect(shell(command, result)).toBe(expected);
});

test.each([
  [
    'the flag, not the words of a log',
    'flag ok -> "exit status 1\\nFAILED to load plugin\\n--- PASS: TestSum"',
    'suite passed',
  ],
  ['the exit code, not the words', 'exit 0 -> "2 failed attempts were retried"', 'suite passed'],
  ['a failing exit code', 'exit 1 -> "done"', 'suite failed'],
  ['a failing exit code of another part', 'exit 1 -> "ok  \\tshop/cart 0.1s\\nlint: 3 problems"', 'suite'],
  ['a program that is missing', 'exit 127 -> "sh: go: not found"', 'suite'],
])('%s decides', (_, facts, expected) => {
  expect(workOf(`tool Bash {"command":"go test ./..."} ${facts}`)).toBe(expected);
});

test('an exit code above other lines of the shell tool decides', () => {
  const result = (code: number) =>
    `Command: npm test\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: ${code}\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 12`;
  expect(shell('npm test', result(0))).toBe('suite passed');
  expect(shell('npm test', result(1))).toBe('suite failed');
});

test('the summary of the test runner has priority over the end of a pipe', () => {
  expect(workOf('tool Bash {"command":"npx vitest run | tail -5"} exit 0 -> "Tests  2 failed | 7 passed (9)"')).toBe(
    'suite failed',
  );
  expect(workOf('tool Bash {"command":"npx vitest run | tail -5"} exit 0 -> "Tests  9 passed (9)"')).toBe(
    'suite passed',
  );
});

test('the last summary has priority over earlier text', () => {
  expect(shell('npm test', 'case "3 failed logins" ok\nFAILED logins are counted\nTests:  12 passed, 12 total')).toBe(
    'suite passed',
  );
});

test.each([
  [
    'node test.js',
    'Error: 3 is not 4\n    at sum (file:///srv/shop/test.js:4:9)\n    at main (file:///srv/shop/test.js:9:1)\n\nNode.js v24.1.0\n',
    'suite failed',
  ],
  ['node test.js', 'all fine\n\nNode.js v24.1.0', 'suite'],
  ['node test.js', '    at the end\nNode.js v24.1.0\nall fine', 'suite'],
  ['just test', 'error: Recipe `test` failed on line 3 with exit code 1', 'suite failed'],
  ['bun run test', 'error: script "test" exited with code 1', 'suite failed'],
  ['pnpm test', 'bad\n ELIFECYCLE  Test failed. See above for more details.', 'suite failed'],
])('the last line of "%s" decides if no exit code is known: %s', (command, result, expected) => {
  expect(shell(command, result)).toBe(expected);
});

test('an exit code has priority over the last line', () => {
  expect(workOf('tool Bash {"command":"make test"} exit 0 -> "make: *** [Makefile:4: test] Error 1"')).toBe(
    'suite passed',
  );
});

test('snapshots are not tests', () => {
  expect(shell('npx jest', 'Tests:       2 failed, 7 passed, 9 total\nSnapshots:   3 passed, 3 total')).toBe(
    'suite failed',
  );
});

test('a script that the agent wrote is not a test of the project', () => {
  const written = 'tool Write {"file_path":"/tmp/ci/shop/probe.test.js","content":"x"} -> "ok"';
  expect(inProject(`${written}\ntool Bash {"command":"node probe.test.js"} -> "fine"`)).toEqual(['edit', 'check']);
  expect(inProject('tool Bash {"command":"node probe.test.js"} -> "fine"')).toEqual(['suite']);
  const edited = 'tool Edit {"file_path":"/tmp/ci/shop/probe.test.js"} -> "ok"';
  expect(inProject(`${edited}\ntool Bash {"command":"node probe.test.js"} -> "fine"`)).toEqual(['edit', 'suite']);
});

test('a project under /tmp is source', () => {
  expect(inProject('tool Edit {"file_path":"/tmp/ci/shop/cart.js"} -> "ok"')).toEqual(['edit']);
  expect(inProject('tool Edit {"file_path":"/tmp/elsewhere/cart.js"} -> "ok"')).toEqual(['other']);
});

test.each([
  ['exit 1 -> "--- FAIL: TestSum (0.1s)\\nFAIL"', 'suite failed'],
  ['exit 0 -> "ok  \\tshop/cart 0.1s"', 'suite passed'],
  ['-> "Process running with session ID 7\\nok  \\tshop/cart 0.1s"', 'other'],
  ['exit 0 -> "built"', 'other'],
])('a poll of a running command: %s', (facts, expected) => {
  expect(workOf(`tool write_stdin {"session_id":7,"chars":""} ${facts}`)).toBe(expected);
});
