import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { conversation } from './conversation.ts';
import { failedVersion } from './failed-version.ts';

const CODE = 'from gauge import verify\n\ndef level(hour):\n    return hour % 6\n\nverify(level)';
const STATED = 'exitcode: 0\nSome tests failed';
const RAISED = 'exitcode: 1 (execution failed)\nNameError: verify';

const fenced = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
const says = (text: string) => `llm gpt-4o -> ${JSON.stringify(text)}`;
const runs = (code: string, result: string) =>
  `tool execute_code ${JSON.stringify({ code })} -> ${JSON.stringify(result)}`;

const ROWS: [name: string, lines: string[], step: number | null][] = [
  ['the same code', [runs(CODE, STATED), says(fenced(CODE))], 0],
  [
    'other comments, blank lines and a docstring',
    [runs(CODE, STATED), says(fenced(`# Once more\n${CODE.replace('    return', '    """Level."""\n\n    return')}`))],
    0,
  ],
  ['the last of several runs of it', [runs(CODE, STATED), runs(CODE, STATED), says(fenced(CODE))], 1],
  [
    'one of several blocks',
    [runs(CODE, STATED), says(`${fenced(CODE)}\nIt prints:\n${fenced('All tests passed!')}`)],
    0,
  ],
  [
    'the same function with another call, and the tests state the failure',
    [runs(CODE, STATED), says(fenced(CODE.replace('verify(level)', 'print(level(7))')))],
    0,
  ],
  [
    'the same function with another import, and the import is what failed',
    [runs(CODE, RAISED), says(fenced(CODE.replace('from gauge', 'from gauges')))],
    null,
  ],
  ['another body', [runs(CODE, STATED), says(fenced(CODE.replace('% 6', '% 12')))], null],
  ['another divisor', [runs(CODE.replace('% 6', '// 6'), STATED), says(fenced(CODE.replace('% 6', '// 12')))], null],
  ['another indentation', [runs(CODE, RAISED), says(fenced(CODE.replace('    return', 'return')))], null],
  ['a run that passed', [runs(CODE, 'All tests passed'), says(fenced(CODE))], null],
  ['no code', [runs(CODE, STATED), says('Done.')], null],
];

test.each(ROWS)('%s', (_name, lines, step) => {
  const trace = parseTrace(`agent diver\n${lines.join('\n')}`);
  expect(failedVersion(trace, conversation(trace).at(-1)!)?.step ?? null).toBe(step);
});
