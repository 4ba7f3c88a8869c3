import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { conversation } from './conversation.ts';
import { failedVersion, sameRun } from './failed-version.ts';

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
  [
    'a run with an exit code that could not start the tests',
    [runs(CODE, 'exitcode: 1\n: line 1: cd: /gauge: No such file or directory'), says(fenced(CODE))],
    0,
  ],
  ['no code', [runs(CODE, STATED), says('Done.')], null],
];

test.each(ROWS)('%s', (_name, lines, step) => {
  const trace = parseTrace(`agent diver\n${lines.join('\n')}`);
  expect(failedVersion(trace, conversation(trace).at(-1)!)?.step ?? null).toBe(step);
});

test.each<[name: string, lines: string[], step: number | null]>([
  ['a run that passed', [runs(CODE, 'All tests passed'), says(fenced(CODE))], 0],
  [
    'a block of a message whose blocks ran together',
    [
      says(`${fenced('import gauge')}\nThen:\n${fenced(CODE)}`),
      `message runner ${JSON.stringify(STATED)}`,
      says(fenced(CODE)),
    ],
    1,
  ],
  ['a command', ['tool bash {"command":"sh gauge.sh  --all"} -> "9"', says(fenced('sh gauge.sh --all'))], 0],
  ['other code', [runs('print(7)', '7'), says(fenced(CODE))], null],
  [
    'blocks that a syntax error stopped',
    [
      says(`${fenced('import gauge:')}\nThen:\n${fenced(CODE)}`),
      'message runner "exitcode: 1\\nSyntaxError: invalid syntax"',
      says(fenced(CODE)),
    ],
    null,
  ],
])('the same code in %s', (_name, lines, step) => {
  const trace = parseTrace(`agent diver\n${lines.join('\n')}`);
  expect(sameRun(trace, conversation(trace).at(-1)!)?.step ?? null).toBe(step);
});
