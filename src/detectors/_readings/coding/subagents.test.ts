import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { repeatedSubagentWork } from './subagents.ts';

const TASK = '{"description":"fix cart.ts","prompt":"Correct the sum in src/cart.ts"}';

test.each([
  [
    'done again by the main agent',
    `tool Task ${TASK} -> "I was unable to edit: permission denied."\ntool Edit {"file_path":"src/cart.ts"} -> "ok"`,
    1,
  ],
  [
    'other work',
    `tool Task ${TASK} -> "I was unable to edit: permission denied."\ntool Edit {"file_path":"src/menu.ts"} -> "ok"`,
    0,
  ],
  [
    'a subagent that succeeded',
    `tool Task ${TASK} -> "The sum is corrected."\ntool Edit {"file_path":"src/cart.ts"} -> "ok"`,
    0,
  ],
])('%s', (_, lines, count) => {
  expect(repeatedSubagentWork(parseTrace(`agent dev\n${lines}`))).toHaveLength(count);
});
