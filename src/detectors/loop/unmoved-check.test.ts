import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';

const traceback = (line: number, error: string) =>
  `Traceback (most recent call last):\n  File "/shop/cart.py", line ${line}, in total\n${error}`;

const edit = (text: string) => `tool edit_file {"path":"cart.py","new":"${text}"} -> "edited"`;

const run = (result: string) => `tool bash {"command":"python try_cart.py"} -> ${JSON.stringify(result)}`;

/** A script that is run after every edit. */
function edited(results: readonly string[], end = 'llm gpt-4o -> "The total is fixed."'): string {
  const rounds = results.map((result, at) => `${edit(`v${at}`)}\n${run(result)}`);
  return ['agent dev', ...rounds, end].join('\n');
}

/** Versions of one function, each answered by the tool that tries it. */
function tried(versions: readonly string[], results: readonly string[]): string {
  const calls = versions.map((code, at) => {
    const args = JSON.stringify({ code });
    return `llm gpt-4o -> "I try this."\ntool judge ${args} -> ${JSON.stringify(results[at] ?? results.at(-1))}`;
  });
  return ['agent solver', ...calls].join('\n');
}

const WRONG = 'Case 3 of 5: assert area(2) == 12\nTry again.';
const VERSIONS = [
  'def side(a): return a',
  'def side(a): return a * a',
  'def side(a): return 6 * a',
  'def side(a): pass',
];

const chat = (results: readonly string[]) =>
  [
    'message proxy "Write a function that returns the area of a cube."',
    ...results.flatMap((result, at) => [
      `agent coder\nllm gpt-4o -> "Version ${at}\\n\`\`\`python\\ndef area(a): return ${at} * a\\n\`\`\`"`,
      `message runner ${JSON.stringify(result)}`,
    ]),
  ].join('\n');

/** A check of another kind than a command, after every change. */
const proved = (result: string, tool = 'pruefe') =>
  [
    'agent dev',
    ...[0, 1, 2].flatMap((at) => [edit(`v${at}`), `tool ${tool} {"entwurf":"fare"} -> ${JSON.stringify(result)}`]),
    'llm gpt-4o -> "The draft is ready."',
  ].join('\n');

const PIPES = ['sort -n', 'sort -n -r', 'sort -n -u'].map(
  (end) => `python3 count.py shop/orders.csv --by bread | ${end}`,
);

const BLANK_VERSIONS = ['Write it.', 'Indent it.', 'Import it.'].map(
  (note) => `# ${note}\ndef area(a):\n    # as before\n\ncheck(area)`,
);
const NO_BLOCK = 'IndentationError: expected an indented block after function definition on line 2';

const SPACED = ['', '\n\n', '\n\n\n'].map(
  (gap) => `${gap}def side(a):\n    return a["x"]\n\nprint(side("b"), ${gap.length})`,
);
const fault = (code: string, line: number) =>
  `Traceback (most recent call last):\n  File "side.py", line ${line}, in <module>\n    ${code.split('\n').at(-1)}\n    ^^^^\nSyntaxError: bad index, see line ${line}`;

const rows: DetectorRow[] = [
  {
    name: 'unmoved_check: the call that submits the work is not one of the attempts',
    trace: `agent solver
llm m -> "I sort it."
tool bash "run sort -x names.txt" -> "ValueError: there is no column of this name"
llm m -> "I sort it in another way."
tool bash "run sort -x -u names.txt" -> "ValueError: there is no column of this name"
llm m -> "Once more."
tool bash "run sort -x -r names.txt" -> "ValueError: there is no column of this name"
llm m -> "I hand it in."
tool bash "submit" -> "ValueError: there is no column of this name"`,
    fires: [
      {
        subtype: 'unmoved_check',
        text: 'The last 3 attempts with bash (steps 1 to 5), 3 of them different, all returned the same result: "ValueError: there is no column of this name".',
      },
    ],
  },
  {
    name: 'unmoved_check: the same failure at other lines of the code, whose text the result quotes',
    trace: tried(
      SPACED,
      SPACED.map((code, at) => fault(code, 4 + at)),
    ),
    fires: [
      {
        subtype: 'unmoved_check',
        text: 'The last 3 attempts with judge (steps 1 to 5), 3 of them different, all returned the same result: "SyntaxError: bad index, see line 4, 5 or 6".',
      },
    ],
  },
  {
    name: 'unmoved_check: white space after the last attempt is no answer',
    trace: `${tried(VERSIONS, ['The area of the lagoon is not the expected one.'])}\nllm gpt-4o -> "\\n\\n"`,
    fires: [{ subtype: 'unmoved_check', text: 'all returned the same result' }],
  },
  {
    name: 'unmoved_check: each call submits an answer',
    trace: [
      'agent solver',
      ...[2, 3, 4, 5].map((level) => {
        const code = `def level():\n    return ${level}\n\nverify(level, at="noon", of="sea")`;
        return `llm gpt-4o -> ${JSON.stringify(code)}\ntool bash ${JSON.stringify({ command: code })} -> "level of the sea at noon"`;
      }),
    ].join('\n'),
    fires: [
      {
        subtype: 'unmoved_check',
        severity: 'warning',
        text: 'Each call of the run submits an answer, and the run ended on the result of the last one.',
        suggestion:
          'The result did not change since step 1: end the run with it there, or have solver change what all 4 attempts have in common instead of the part between "def level(): return" and "verify(level, at="noon", of="sea")".',
      },
    ],
  },
  {
    name: 'unmoved_check: only filters behind the same command were varied',
    trace: [
      'agent solver',
      ...['', ' | head -n 10', ' | column -t', ' | column -t | head -n 10'].map((filter) => {
        const command = `find /shop -name "*.php" -exec wc -l {} \\; | sort -nr${filter}`;
        return `llm gpt-4o -> ${JSON.stringify(command)}\ntool bash ${JSON.stringify({ command })} -> "1 /shop/index.php\\n1 /shop/info.php"`;
      }),
    ].join('\n'),
    fires: [
      {
        subtype: 'unmoved_check',
        text: 'Only what the output is piped to after "find /shop -name "*.php" -exec wc -l {} \\; | sort -nr" was varied ("| head -n 10", "| column -t" and "| column -t | head -n 10").',
        suggestion:
          'The result did not change since step 1: end the run with it there, or have solver change what all 4 attempts have in common ("find /shop -name "*.php" -exec wc -l {} \\; | sort -nr") instead of what follows it.',
      },
    ],
  },
  {
    name: 'unmoved_check: no version has a body of the function, which an earlier message wrote',
    trace: `user "Write area(a) and check it."\nagent solver\nllm gpt-4o -> "\`\`\`python\\ndef area(a):\\n    return 6 * a * a\\n\`\`\`"\n${tried(BLANK_VERSIONS, [NO_BLOCK])}`,
    fires: [
      {
        subtype: 'unmoved_check',
        severity: 'critical',
        text: 'The body of `area` has only a comment ("# as before") since step 3, and the body that step 1 wrote is not part of it.',
        suggestion:
          'Have solver include the body of `area` that step 1 wrote: in the code of step 7 it has only a comment',
      },
    ],
  },
  {
    name: 'unmoved_check: the advice says which part of the attempts was never changed',
    trace: [
      'agent dev',
      ...PIPES.map(
        (command) => `tool bash ${JSON.stringify({ command })} exit 2 -> "count.py: error: no column of this name"`,
      ),
    ].join('\n'),
    fires: [
      {
        subtype: 'unmoved_check',
        suggestion:
          'Have dev change what all 3 attempts have in common ("python3 count.py shop/orders.csv --by bread | sort -n") instead of what follows it.',
      },
    ],
  },
  {
    name: 'unmoved_check: the advice names an attempt that was made before',
    trace: tried([VERSIONS[0]!, VERSIONS[1]!, VERSIONS[2]!, VERSIONS[1]!], ['Some of the cases fail. Try once more.']),
    fires: [
      { subtype: 'unmoved_check', suggestion: 'Reject an attempt that was made before: step 7 is equal to step 3.' },
    ],
  },
  {
    name: 'unmoved_check: a tool that is not a shell fails in the same way after every edit',
    trace: proved(traceback(3, 'ValueError: the fare is charged once')),
    fires: [{ subtype: 'unmoved_check', severity: 'warning', agent: 'dev' }],
  },
  {
    name: 'silent: look-ups that find nothing, by a tool whose name does not say what it does',
    trace: `user "Where is the fare table?"
agent clerk
${['fare', 'fares', 'fare table', 'table of fares'].map((query) => `llm m -> "I try ${query}."\ntool zupan {"q":"${query}"} !! NotFoundError: no page matches the query`).join('\n')}`,
    silent: true,
  },
  {
    name: 'silent: the same answer, without the form of a failure',
    trace: proved('The draft is 12 lines long.'),
    silent: true,
  },
  {
    name: 'unmoved_check: the same error after every edit, at changed line numbers',
    trace: edited([
      traceback(9, "KeyError: 'price'"),
      traceback(10, "KeyError: 'price'"),
      traceback(14, "KeyError: 'price'"),
    ]),
    fires: [{ subtype: 'unmoved_check', step: 3, agent: 'dev', severity: 'warning', text: "KeyError: 'price'" }],
  },
  {
    name: 'silent: the last run shows another error',
    trace: edited([
      traceback(9, 'KeyError: 1'),
      traceback(9, 'KeyError: 1'),
      traceback(9, 'KeyError: 1'),
      traceback(9, 'TypeError: 2'),
    ]),
    silent: true,
  },
  {
    name: 'silent: the last run works',
    trace: edited([traceback(9, 'KeyError: 1'), traceback(9, 'KeyError: 1'), traceback(9, 'KeyError: 1'), '12.50']),
    silent: true,
  },
  {
    name: 'silent: the repeated run has not failed',
    trace: edited(['12.50', '12.50', '12.50', '12.50']),
    silent: true,
  },
  {
    name: 'silent: other work succeeded after it',
    trace: edited(
      [traceback(9, 'KeyError: 1'), traceback(9, 'KeyError: 1'), traceback(9, 'KeyError: 1')],
      `${edit('other')}\ntool bash {"command":"python shop.py"} -> "12.50"\ntool bash {"command":"python all.py"} -> "fine"\nllm gpt-4o -> "Done another way."`,
    ),
    silent: true,
  },
  {
    name: 'unmoved_check: other versions, the same verdict, and the run ends on it',
    trace: tried(VERSIONS, [WRONG]),
    fires: [{ subtype: 'unmoved_check', step: 1, agent: 'solver', severity: 'critical', text: 'assert area(2) == 12' }],
  },
  {
    name: 'unmoved_check: a rejected version is submitted again',
    trace: tried([VERSIONS[0]!, VERSIONS[1]!, VERSIONS[0]!, VERSIONS[1]!], [WRONG]),
    fires: [{ subtype: 'unmoved_check', severity: 'critical' }],
  },
  {
    name: 'silent: the last version is accepted',
    trace: tried(VERSIONS, [WRONG, WRONG, WRONG, 'accepted']),
    silent: true,
  },
  {
    name: 'unmoved_check: an answer without the form of a failure, and the run ends while the agent still tries',
    trace: tried(VERSIONS, ['Лишь три проверки из пяти пройдены.']),
    fires: [{ subtype: 'unmoved_check', step: 1, agent: 'solver', severity: 'critical', text: 'три проверки' }],
  },
  {
    name: 'silent: the agent answers after such a result',
    trace: `${tried(VERSIONS, ['Лишь три проверки из пяти пройдены.'])}\nllm gpt-4o -> "Three of five, as agreed."`,
    silent: true,
  },
  {
    name: 'silent: acknowledgements for versions of a text',
    trace: tried(VERSIONS, ['The draft was stored in the folder.']).replaceAll('tool judge', 'tool save_draft'),
    silent: true,
  },
  {
    name: 'silent: different things are asked about',
    trace: tried(['apples', 'pears of Kent', 'plums, red', 'wild figs'], ['The market has none of these today.']),
    silent: true,
  },
  {
    name: 'silent: the user asks for another try',
    trace: tried(VERSIONS, [WRONG]).replaceAll('llm gpt-4o', 'user "Try again, please."\nllm gpt-4o'),
    silent: true,
  },
  { name: 'silent: each version is accepted', trace: tried(VERSIONS, ['stored']), silent: true },
  {
    name: 'silent: versions that fail in other ways',
    trace: tried(VERSIONS, [WRONG, 'Case 1: assert area(0) == 0', 'Case 2: assert area(1) == 6', WRONG]),
    silent: true,
  },
  {
    name: 'unmoved_check: code in messages that another agent runs',
    trace: chat(['exitcode: 1\nNameError: cube', 'exitcode: 1\nNameError: cube', 'exitcode: 1\nNameError: cube']),
    fires: [{ subtype: 'unmoved_check', agent: 'coder', severity: 'critical', text: 'NameError: cube' }],
  },
  {
    name: 'silent: the code in messages succeeds in the end',
    trace: chat(['exitcode: 1\nNameError: cube', 'exitcode: 1\nNameError: cube', 'exitcode: 0\n24']),
    silent: true,
  },
  {
    name: 'silent: a log that is read again contains an old error',
    trace: `
agent ops
repeat 3
  tool bash {"command":"cat app.log"} -> "Error: disk full"
  tool restart_service {"name":"app {n}"} -> "restarted"
llm gpt-4o -> "All three are restarted."`,
    silent: true,
  },
];

testDetector(loop, rows);
