import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { inventedOutputs } from './invented-output.ts';

const REPORT = '```\n....\nRan 4 tests in 0.002s\n\nOK\n```';
const message = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const outputsOf = (...lines: string[]) => inventedOutputs(parseTrace(['agent dev', ...lines].join('\n')));

it('returns output that no tool produced', () => {
  const found = outputsOf(
    message(`Run it:\n\`\`\`sh\npython t.py\n\`\`\`\nOutput:\n${REPORT}`),
    message('Done.'),
    message(REPORT),
  );
  expect(found).toEqual([
    { step: 0, line: 'Ran 4 tests in 0.002s' },
    { step: 2, line: 'Ran 4 tests in 0.002s' },
  ]);
});

it.each([
  ['a tool returned it', ['tool bash {"command":"python t.py"} -> "Ran 4 tests in 0.002s\\n\\nOK"', message(REPORT)]],
  ['the block is code', [message('```\nprint("x")\nRan 4 tests in 0.002s\n```')]],
  ['it is not in a block', [message('Ran 4 tests in 0.002s')]],
])('returns nothing: %s', (_, lines) => {
  expect(outputsOf(...lines)).toEqual([]);
});
