import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { onlyRejectedEdits, rejectedEditsText } from './rejected-edits.ts';

const REJECTED =
  'tool edit {"path":"ferry/price.py","new":"retur 2"} !! SyntaxError: invalid syntax in line 1, not applied';
const APPLIED = 'tool edit {"path":"ferry/price.py","new":"return 2"} -> "applied"';
const textOf = (trace: string) => {
  const found = onlyRejectedEdits(parseTrace(`agent dev\n${trace}`));
  return found === null ? null : rejectedEditsText(found);
};

it.each([
  [
    'one edit',
    REJECTED,
    'The only edit of the run, edit at step 0, was rejected ("invalid syntax in line 1, not applied"): nothing was applied.',
  ],
  [
    'several edits, and a file that the run created',
    `tool create {"path":"try.py","content":"print(1)"} -> "created"\n${REJECTED}\n${REJECTED}`,
    'All 2 calls of edit (steps 1 to 2) were rejected ("invalid syntax in line 1, not applied" at the last one): nothing was applied.',
  ],
  ['an edit that was applied', `${REJECTED}\n${APPLIED}`, null],
  ['an edit of the shell', `${REJECTED}\ntool bash {"command":"sed -i s/1/2/ ferry/price.py"} -> ""`, null],
  ['no edit', 'tool open {"path":"ferry/price.py"} -> "return 1"', null],
])('names the rejected edits of a run whose edits were all rejected: %s', (_, trace, text) => {
  expect(textOf(trace)).toBe(text);
});
