import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { exampleAdvice, unrunExamples } from './task-examples.ts';

const DONE = 'def tide(hour):\n    return hour % 6\n\nverify(tide)';
const DOCTEST = 'def tide(hour):\n    """Level.\n    >>> tide(7)\n    1\n    """';

const chat = (request: string, code: string) =>
  `user ${JSON.stringify(request)}\nagent diver\ntool execute_code ${JSON.stringify({ code })} -> "Some tests failed"`;

const ROWS: [name: string, request: string, code: string, expected: unknown][] = [
  ['a doctest', DOCTEST, DONE, [{ call: 'tide(7)', expected: '1' }]],
  ['an arrow', 'tide(7) ➞ 1', DONE, [{ call: 'tide(7)', expected: '1' }]],
  ['a comment with an arrow', 'Examples:\n  tide(7) # => 1', DONE, [{ call: 'tide(7)', expected: '1' }]],
  [
    'a text of another language',
    'Beispiel: Wasserstand.\n- tide(7) -> "Ebbe"',
    DONE,
    [{ call: 'tide(7)', expected: '"Ebbe"' }],
  ],
  ['the docstring of the code repeats it', DOCTEST, `${DOCTEST}\n    return 2`, [{ call: 'tide(7)', expected: '1' }]],
  [
    'labels for input and output',
    'def tide(hour, place):\n    Example 1:\n        Input: hour = 7, place = "Ros"\n        Output: "low"',
    DONE,
    [{ call: 'tide(7, "Ros")', expected: '"low"' }],
  ],
  [
    'a run passes the input of a label',
    'def tide(hour):\n    Input: hour = 7\n    Output: 1',
    `${DONE}\nprint(tide(7))`,
    [],
  ],
  ['a run prints it', DOCTEST, `${DONE}\nprint(tide( 7 ))`, []],
  ['a run asserts it', 'tide(7) -> 1', `${DONE}\nassert tide(7) == 1`, []],
  [
    'a test class that the code never runs',
    'tide(7) -> 1',
    `${DONE}\nclass TideTest(unittest.TestCase):\n    def test_low(self):\n        self.assertEqual(tide(7), 1)`,
    [{ call: 'tide(7)', expected: '1' }],
  ],
  [
    'a test class that the code runs',
    'tide(7) -> 1',
    `${DONE}\nclass TideTest(unittest.TestCase):\n    def test_low(self):\n        self.assertEqual(tide(7), 1)\nunittest.main()`,
    [],
  ],
  ['a run executes all doctests', DOCTEST, `${DOCTEST}\n    return 2\nimport doctest\ndoctest.testmod()`, []],
  [
    'a note after the expected value',
    `tide(7) # => 'No' (the hour is odd)\ntide(8) -> [1, 2] # two hours\ntide(9) -> "a" ("b")`,
    DONE,
    [
      { call: 'tide(7)', expected: "'No'" },
      { call: 'tide(8)', expected: '[1, 2]' },
      { call: 'tide(9)', expected: '"a"' },
    ],
  ],
  ['a signature is no example', 'def tide(hour) -> int', DONE, []],
  ['a function that no code defines', 'wave(7) -> 1', DONE, []],
];

test.each(ROWS)('%s', (_name, request, code, expected) => {
  expect(unrunExamples(parseTrace(chat(request, code)))).toEqual(expected);
});

test('the advice names all examples if they are short', () => {
  const trace = parseTrace(chat('tide(0) -> 0\ntide(1234567) -> 1\ntide(7) -> 1', DONE));
  expect(exampleAdvice(trace, 'diver')).toBe(
    ' Have diver run all 3 examples of the task first, which no run executes: `tide(0)` should return `0`, `tide(1234567)` `1` and `tide(7)` `1`.',
  );
});

test('of long examples, the advice names as many as fit, first one for each expected value', () => {
  const long = (digit: number, expected: string) => `tide([${Array(30).fill(digit).join(', ')}]) -> ${expected}`;
  const request = [long(1, 'True'), long(2, 'True'), 'tide(3) -> False', long(4, 'True')].join('\n');
  expect(exampleAdvice(parseTrace(chat(request, DONE)), 'diver')).toBe(
    ' Have diver run all 4 examples of the task first, which no run executes, for example `tide([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…` should return `True`, `tide([2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,…` `True` and `tide(3)` `False`.',
  );
});

test('the advice does not ask for an example that the code passes because it returns the expected value', () => {
  const code = "def tide(hour):\n    # the level\n    return ['low', 'high']\n\nverify(tide)";
  const trace = parseTrace(chat('tide(7) -> ["low", "high"]', code));
  expect(exampleAdvice(trace, 'diver')).toBe(
    ' The code returns `["low", "high"]` for every argument, which is only the value of the example: have diver run it with other arguments.',
  );
});

test('the blocks after a command that failed do not run', () => {
  const [own, check] = [`${DONE}`, "if __name__ == '__main__':\n    print(tide(7))"];
  const blocks = [own, 'python tide.py', check];
  const message = blocks.map((block) => `\`\`\`\n${block}\n\`\`\``).join('\n');
  const trace = (result: string) =>
    parseTrace(
      `user "tide(7) -> 1"\nagent diver\nllm m -> ${JSON.stringify(message)}\ntool execute_code ${JSON.stringify({ code: blocks.join('\n\n\n') })} -> ${JSON.stringify(result)}`,
    );
  const missing =
    "exitcode: 2\nSome tests failed\npython: can't open file 'tide.py': [Errno 2] No such file or directory";
  expect(unrunExamples(trace(missing))).toEqual([{ call: 'tide(7)', expected: '1' }]);
  expect(unrunExamples(trace('exitcode: 0\nSome tests failed\n1'))).toEqual([]);
});
