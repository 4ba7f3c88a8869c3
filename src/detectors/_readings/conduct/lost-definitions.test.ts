import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from '../calls/calls.ts';
import { lostDefinitions } from './lost-definitions.ts';

const GIVEN = '```python\nfrom gauge import verify\n\ndef level(hour):\n    """Water level."""\n\nverify(level)\n```';
const WHOLE = 'from gauge import verify\n\ndef level(hour):\n    return hour % 6\n\nverify(level)';
const undefinedName = (name: string, source = 'verify(level)') =>
  `Traceback (most recent call last):\n  File "", line 1, in <module>\n    ${source}\nNameError: name '${name}' is not defined`;

const run = (code: string, result: string) =>
  `tool execute_code ${JSON.stringify({ code })} -> ${JSON.stringify(result)}`;
const lost = (...lines: string[]) => {
  const trace = parseTrace([`user ${JSON.stringify(GIVEN)}`, 'agent diver', ...lines].join('\n'));
  return lostDefinitions(trace, toolUses(trace).at(-1)!);
};

const ROWS: [name: string, lines: string[], expected: unknown][] = [
  [
    'the import of the user, and a function of an earlier version',
    [run(WHOLE, 'Some tests failed'), run('verify(level)', undefinedName('verify'))],
    [
      { line: 'from gauge import verify', step: null },
      { line: 'def level(hour):', step: 1 },
    ],
  ],
  [
    'the import of the user, which the code replaces below the call',
    [run('def level(hour):\n    return 2\n\nverify(level)\n\ndef verify(f):\n    f(1)', undefinedName('verify'))],
    [{ line: 'from gauge import verify', step: null }],
  ],
  [
    'an import of an earlier version',
    [
      run(`import math\n${WHOLE}`, 'Some tests failed'),
      run(`${WHOLE}\nmath.floor(2)`, undefinedName('math', 'math.floor(2)')),
    ],
    [{ line: 'import math', step: 1 }],
  ],
  ['a name that no version defines', [run(WHOLE, undefinedName('hours', 'return hours'))], []],
  ['another failure', [run(WHOLE, 'Some tests failed'), run('verify(level)', 'ValueError: level')], []],
];

test.each(ROWS)('%s', (_name, lines, expected) => {
  expect(lost(...lines)).toEqual(expected);
});
