import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { qualityGate } from './detector.ts';

const CODE = 'llm gpt-4o -> "```python\\nprint(load(\'tides.csv\'))\\n```"';
const FAILED = 'message runner "exitcode: 1 (execution failed)\\nCode output: FileNotFoundError: tides.csv"';
const WORKED = 'message runner "exitcode: 0 (execution succeeded)\\nCode output: 12 rows"';
const ANSWER = 'llm gpt-4o -> "The file holds 12 rows."';
const chat = (...lines: string[]) => ['agent analyst', ...lines].join('\n');

const own = (output: string, name = 'execute_code') =>
  `tool ${name} ${JSON.stringify({ code: 'from checks import run\ndef tide(hour):\n    return hour % 6\nrun(tide)' })} -> ${JSON.stringify(output)}`;
const OWN_CODE = 'llm gpt-4o -> "```python\\ndef tide(hour):\\n    return hour % 6\\nrun(tide)\\n```"';
const TIDE = '```python\ndef tide(hour):\n    return hour % 6\nrun(tide)\n```';
const GIVEN_UP = 'llm gpt-4o -> "Please look at the tide tables again."';

const rows: DetectorRow[] = [
  {
    name: 'failed_run_left: the tests of the own code state a failure, with exit code 0',
    trace: chat(own('exitcode: 0\nCode output:\nSome tests failed, see above'), GIVEN_UP),
    fires: [
      {
        subtype: 'failed_run_left',
        step: 0,
        agent: 'analyst',
        severity: 'critical',
        text: '"Some tests failed, see above"',
        fix: 'Let the tests print the case that failed',
      },
    ],
  },
  {
    name: 'failed_run_left: a tool with another name, and not all checks passed',
    trace: chat(own('Not all checks passed.', 'berechne'), GIVEN_UP),
    fires: [{ subtype: 'failed_run_left', step: 0, severity: 'critical' }],
  },
  {
    name: 'failed_run_left: in a chat, the tests of the own code state a failure',
    trace: chat(
      'llm gpt-4o -> "```python\\ndef tide(hour):\\n    return hour % 6\\nrun(tide)\\n```"',
      'message runner "exitcode: 0 (execution succeeded)\\nCode output: 2 test cases failed"',
      GIVEN_UP,
    ),
    fires: [{ subtype: 'failed_run_left', step: 1, severity: 'critical' }],
  },
  {
    name: 'failed_run_left: the guessed name of the function is wrong from the first run on',
    trace: `user "Write a function for the tides."\n${chat(
      own('Some tests failed').replace('hour % 6', 'hour'),
      own('Some tests failed'),
      own('Some tests failed'),
    )}`,
    fires: [
      {
        subtype: 'failed_run_left',
        step: 1,
        text: 'The code of all 3 runs defines `tide`, a name that neither the task nor a result states.',
      },
    ],
  },
  {
    name: 'failed_run_left: the first of the runs that state a failure, and what the last one shows',
    trace: chat(
      own('All tests passed'),
      own('Some tests failed'),
      own('tide(7) is 1, expected 2\nSome tests failed'),
      'llm gpt-4o -> "```python\\ndef tide(hour):\\n    return 2\\n```"',
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        step: 1,
        text: 'The 2 runs from step 1 on all state a failure',
        fix: 'Correct the code that failed',
      },
    ],
  },
  {
    name: 'failed_run_left: the answer reports the failure, and the delivered code still fails',
    trace: chat(own('Some tests failed'), 'llm gpt-4o -> "I could not solve it: two of the tests still fail."'),
    fires: [{ subtype: 'failed_run_left', step: 0, severity: 'critical' }],
  },
  {
    name: 'failed_run_left: later runs of the same code',
    trace: chat(own('Some tests failed'), own('Some tests failed'), own('Some tests failed'), GIVEN_UP),
    fires: [
      {
        subtype: 'failed_run_left',
        text: '2 of these runs have the code of an earlier one, unchanged (steps 1 and 2).',
        suggestion:
          'Do not run unchanged code again: tell analyst that the code of step 1 is that of step 0, which failed.',
      },
    ],
  },
  {
    name: 'failed_run_left: the first run of the code that the run ended on, below a run of other code',
    trace: chat(
      own('Some tests failed').replace('% 6', '% 12'),
      own('Some tests failed'),
      own('Some tests failed'),
      GIVEN_UP,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        step: 1,
        severity: 'critical',
        text: 'The 3 runs from step 0 on all state a failure, and none of them passed. 1 of these runs has the code of an earlier one, unchanged (step 2). Step 1 is the first run of the code that the run ended on.',
      },
    ],
  },
  {
    name: 'failed_run_left: a block of a message with several blocks is the first run of the code',
    trace: chat(
      `llm gpt-4o -> ${JSON.stringify(`Try:\n${TIDE.replace('% 6', '% 12')}\nor:\n${TIDE}`)}`,
      'message runner "exitcode: 0 (execution succeeded)\\nSome tests failed\\nSome tests failed"',
      `llm gpt-4o -> ${JSON.stringify(TIDE)}`,
      'message runner "exitcode: 0 (execution succeeded)\\nSome tests failed"',
      GIVEN_UP,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        step: 1,
        text: 'The 2 runs from step 1 on all state a failure, and none of them passed. 1 of these runs has the code of an earlier one, unchanged (step 3). Step 4',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'failed_run_left: the last message repeats code that ran before it and passed',
    trace: chat(
      own('All tests passed').replace('% 6', '% 12'),
      own('Some tests failed'),
      `llm gpt-4o -> ${JSON.stringify(TIDE.replace('% 6', '% 12').replace('def', 'from checks import run\ndef'))}`,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 2 contains the code that step 0 had run, and the run ended.',
      },
    ],
  },
  {
    name: 'failed_run_left: the message after the failure praises the code',
    trace: chat(
      own('Some tests failed'),
      'llm gpt-4o -> "## Review\\n\\nGreat, the tide table is ready. It has two rows."',
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 1 contains no corrected code, and the run ended. That message says "Great, the tide table is ready."',
      },
    ],
  },
  {
    name: 'failed_run_left: the message after the failure ends the chat and promises a pass',
    trace: chat(
      own('Some tests failed'),
      `llm gpt-4o -> ${JSON.stringify(`I am sorry.\n${TIDE.replace('% 6', '% 12')}\nIt should now pass the tests.\nTERMINATE`)}`,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 1 contains code that nothing ran, and ends the chat with TERMINATE. That message says "It should now pass the tests."',
      },
    ],
  },
  {
    name: 'failed_run_left: the code calls a function that nothing defines',
    trace: chat(own('Some tests failed').replace('hour % 6', 'level_at(hour)'), GIVEN_UP),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'The code of step 0 calls `level_at`, which no code of the run defines or imports.',
        suggestion: 'Have analyst define `level_at` or replace the call. Have the tests print',
      },
    ],
  },
  {
    name: 'failed_run_left: the last message rewrites the given test file only',
    trace: `user "Complete it:\\n\`\`\`python\\nfrom checks import run\\nrun(tide)\\n\`\`\`"\n${chat(own('Some tests failed'), `llm gpt-4o -> ${JSON.stringify('```python\n# filename: checks.py\ndef run(candidate):\n    print(candidate(7))\n```\nPlease repair tide.')}`)}`,
    fires: [
      {
        subtype: 'failed_run_left',
        text: "Step 2 writes another version of the user's file checks.py and leaves `tide` unchanged. Nothing ran that, and the run ended.",
      },
    ],
  },
  {
    name: 'failed_run_left: a message shows output that no tool produced',
    trace: chat(
      own('Some tests failed'),
      `llm gpt-4o -> ${JSON.stringify('The output is now:\n```\nRan 4 tests in 0.002s\n\nOK\n```')}`,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'The message at step 1 shows output that no tool produced ("Ran 4 tests in 0.002s").',
      },
    ],
  },
  {
    name: 'failed_run_left: the last message has other code',
    trace: chat(own('Some tests failed'), `llm gpt-4o -> ${JSON.stringify('```python\nprint(12)\n```')}`),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 1 contains code that does not define `tide` and that nothing ran, and the run ended.',
      },
    ],
  },
  {
    name: 'failed_run_left: a run between them that failed before its tests',
    trace: chat(
      own('Some tests failed'),
      own('exitcode: 1\nSyntaxError: invalid syntax'),
      own('Some tests failed'),
      GIVEN_UP,
    ),
    fires: [{ subtype: 'failed_run_left', step: 0, text: 'The 3 runs from step 0 on all failed' }],
  },
  {
    name: 'failed_run_left: a block of the message is a report, and the runner ran it',
    trace: chat(
      `llm gpt-4o -> ${JSON.stringify(`${TIDE}\nIt will print:\n\`\`\`python\n=== REPORT ===\n7 passed\n\`\`\``)}`,
      `message runner ${JSON.stringify('exitcode: 1 (execution failed)\nCode output:\nSome tests failed\n  File "", line 1\n    === REPORT ===\n    ^^\nSyntaxError: invalid syntax')}`,
      GIVEN_UP,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 0 also has a code block that is not code ("=== REPORT ==="), and runner ran it ("SyntaxError: invalid syntax").',
        suggestion:
          'Have the tests print the failing case with the expected and the actual value: "Some tests failed" names none. Have analyst put nothing but code into code blocks, because runner runs each of them.',
      },
    ],
  },
  {
    name: 'failed_run_left: a block of the message is an example command, and the runner ran it',
    trace: chat(
      `llm gpt-4o -> ${JSON.stringify(`${TIDE}\nStart it with:\n\`\`\`sh\npython tide_table.py\n\`\`\``)}`,
      `message runner ${JSON.stringify("exitcode: 2 (execution failed)\nCode output:\nSome tests failed\n\npython: can't open file '/home/sea/tide_table.py': [Errno 2] No such file or directory")}`,
      GIVEN_UP,
    ),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 0 also has a code block with the command "python tide_table.py", and runner ran it ("python: can\'t open file',
        suggestion: 'Have analyst put no example command into a code block, because runner runs each of them.',
      },
    ],
  },
  {
    name: 'failed_run_left: no line shows the failing case, and no run executes the example of the task',
    trace: `user "Write tide, as in:\\ntide(7) -> 1"\n${chat(own('Testing tide...\nSome tests failed'), GIVEN_UP)}`,
    fires: [
      {
        subtype: 'failed_run_left',
        suggestion:
          'analyst received only "Some tests failed". Have analyst run the example of the task first, which no run executes: `tide(7)` should return `1`.',
      },
    ],
  },
  {
    name: 'failed_run_left: the same result has another failure',
    trace: chat(own('Some tests failed\nRuntimeError: no tide table'), GIVEN_UP),
    fires: [
      {
        subtype: 'failed_run_left',
        suggestion:
          '"Some tests failed" names none. The same result has another failure ("RuntimeError: no tide table"): have analyst correct it, too.',
      },
    ],
  },
  {
    name: 'silent: the code has no body, which completion reports',
    trace: [
      'user "Complete tide(hour) and run it."',
      'agent analyst',
      `tool execute_code ${JSON.stringify({ code: 'from checks import run\ndef tide(hour):\n    pass\nrun(tide)' })} -> "Some tests failed"`,
    ].join('\n'),
    silent: true,
  },
  { name: 'silent: all tests passed', trace: chat(own('All 7 unit tests passed.'), ANSWER), silent: true },
  { name: 'silent: no test failed', trace: chat(own('0 tests failed'), ANSWER), silent: true },
  {
    name: 'silent: a later run of the code states success',
    trace: chat(own('Some tests failed'), own('All tests passed'), ANSWER),
    silent: true,
  },
  {
    name: 'silent: code without a definition only runs tests, which may be what the user asked for',
    trace: chat(`tool execute_code {"code":"import checks\\nchecks.run_all()"} -> "3 tests failed"`, ANSWER),
    silent: true,
  },
  {
    name: 'silent: another call follows the run',
    trace: chat(own('Some tests failed'), 'tool book {"day":"mon"} -> "booked"', ANSWER),
    silent: true,
  },
  {
    name: 'failed_run_left: an answer after two runs that failed',
    trace: chat(CODE, FAILED, CODE, FAILED, ANSWER),
    fires: [
      { subtype: 'failed_run_left', step: 3, agent: 'analyst', severity: 'info', text: 'at step 3 ("Code output' },
    ],
  },
  {
    name: 'failed_run_left: one failure after a run that worked is info',
    trace: chat(CODE, WORKED, CODE, FAILED, ANSWER),
    fires: [{ subtype: 'failed_run_left', step: 3, severity: 'info' }],
  },
  {
    name: 'failed_run_left: the chat ends on the failure itself',
    trace: chat(CODE, FAILED),
    fires: [{ subtype: 'failed_run_left', step: 1, agent: 'analyst' }],
  },
  {
    name: 'failed_run_left: the last message repeats the code that failed',
    trace: chat(CODE, FAILED, CODE),
    fires: [
      {
        subtype: 'failed_run_left',
        text: 'Step 2 contains the code that had failed at step 1, unchanged, and the run ended.',
        suggestion:
          'Have analyst correct the code of step 0 for "Code output: FileNotFoundError: tides.csv" and run it again',
      },
    ],
  },
  {
    name: 'failed_run_left: the tests state a failure, and the last message repeats the code',
    trace: chat(OWN_CODE, 'message runner "exitcode: 0\\nCode output: 2 test cases failed"', OWN_CODE),
    fires: [{ subtype: 'failed_run_left', text: 'Step 2 contains the code that had failed at step 1, unchanged, and' }],
  },
  {
    name: 'failed_run_left: the code replaces a function of the given module',
    trace: `user "Complete it:\\n\`\`\`python\\nfrom checks import tide\\ntide(3)\\n\`\`\`"\n${chat(own('Some tests failed'), GIVEN_UP)}`,
    fires: [
      {
        subtype: 'failed_run_left',
        text: "The code of step 1 defines `tide`, which the user's code imports from `checks`",
        suggestion: 'Have analyst remove its own `tide` from the code and use the one of `checks`.',
      },
    ],
  },
  { name: 'silent: a later run worked', trace: chat(CODE, FAILED, CODE, WORKED, ANSWER), silent: true },
  { name: 'silent: a run that is not finished', trace: `running\n${chat(CODE, FAILED)}`, notApplicable: true },
  {
    name: 'silent: the failure is quoted from another program',
    trace: chat('llm gpt-4o -> "The log says exitcode: 1 (execution failed)."', 'message clerk "exitcode: 1, I see."'),
    silent: true,
  },
];

testDetector(qualityGate, rows);
