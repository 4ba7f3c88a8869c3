import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { failingTests } from './failing-tests.ts';

const EDIT = 'tool Edit {"file_path":"/srv/shop/cart.go"} -> "ok"';
const FAIL = 'tool Bash {"command":"go test ./..."} exit 1 -> "--- FAIL: TestSum (0.00s)\\nFAIL\\tshop/cart 0.1s"';
const PASS = 'tool Bash {"command":"go test ./..."} exit 0 -> "ok  \\tshop/cart 0.1s"';

function found(lines: string) {
  return failingTests(parseTrace(`agent dev\n${lines}`)).map(({ name, runs, edits, isSolved }) => [
    name,
    runs.length,
    edits.length,
    isSolved,
  ]);
}

test.each([
  ['edits between failures', `${FAIL}\n${EDIT}\n${FAIL}\n${EDIT}\n${FAIL}`, [['TestSum', 3, 2, false]]],
  ['a pass at the end', `${FAIL}\n${EDIT}\n${FAIL}\n${EDIT}\n${PASS}`, [['TestSum', 2, 1, true]]],
  ['a pass in between', `${FAIL}\n${EDIT}\n${PASS}\n${EDIT}\n${FAIL}`, []],
  ['runs without edits', `${FAIL}\n${FAIL}\n${FAIL}`, []],
  [
    'runs that name no test',
    `tool Bash {"command":"make test"} exit 2 -> "make: *** [Makefile:12: test] Error 2, see build/test.log"\n${EDIT}\ntool Bash {"command":"make test"} exit 2 -> "make: *** [Makefile:12: test] Error 2, see build/test.log"`,
    [[null, 2, 1, false]],
  ],
])('%s', (_, lines, expected) => expect(found(lines)).toEqual(expected));
