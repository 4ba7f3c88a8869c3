import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { codeRuns } from './executions.ts';
import { undefinedCalls } from './undefined-calls.ts';

const run = (code: string, result = 'Some tests failed') =>
  `tool execute_code ${JSON.stringify({ code })} -> ${JSON.stringify(result)}`;
const TIDE = 'from checks import run\ndef tide(hour):\n    return level_at(hour)\nrun(tide)';

const ROWS: [name: string, lines: string[], expected: string[]][] = [
  ['a call that nothing defines', [run(TIDE)], ['level_at']],
  ['a call outside of all definitions', [run(`level_at(1)\n${TIDE}`)], []],
  ['a definition', [run(`${TIDE}\ndef level_at(hour):\n    return 1`)], []],
  ['a definition in an earlier run', [run('def level_at(hour):\n    return 1'), run(TIDE)], []],
  ['an import', [run(`from tables import level_at\n${TIDE}`)], []],
  ['an import of all names', [run(`from tables import *\n${TIDE}`)], []],
  ['a parameter', [run(TIDE.replace('hour):', 'hour, level_at):'))], []],
  ['an assignment', [run(`level_at = len\n${TIDE}`)], []],
  ['a built-in function', [run(TIDE.replace('level_at', 'sorted'))], []],
  ['a method', [run(TIDE.replace('level_at', 'hour.level_at'))], []],
  ['a name in a text and in a comment', [run(TIDE.replace('level_at(hour)', '"level_at(1)" # level_at(2)'))], []],
  ['names that are set at run time', [run(`exec(open("a.py").read())\n${TIDE}`)], []],
  ['a run of it passed', [run(TIDE, 'All tests passed'), run(TIDE)], []],
  ['the user names it', ['user "Use level_at from the notebook."', 'agent diver', run(TIDE)], []],
  ['a tool of the run', ['tool level_at {"hour":1} -> "2"', run(TIDE)], []],
  ['another language', [run('function tide(hour) { return levelAt(hour); }')], []],
];

test.each(ROWS)('%s', (_, lines, expected) => {
  const trace = parseTrace(['agent diver', ...lines].join('\n'));
  expect(undefinedCalls(trace, codeRuns(trace).at(-1)!)).toEqual(expected);
});
