import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const SCRIPT = '```python\nfrom gauge import verify\n\ndef level(hour):\n    """Water level."""\n\nverify(level)\n```';
const CODE = '```python\nfrom gauge import verify\n\ndef level(hour):\n    return hour % 6\n\nverify(level)\n```';
const FIRST_CODE = CODE.replace('hour % 6', 'hours % 6');
const FAILED_RUN = 'message runner "exitcode: 1 (execution failed)\\nCode output: \\nNameError: hours"';
const user = (text: string) => `user ${JSON.stringify(text)}`;
const says = (text: string) => `llm gpt-4o -> ${JSON.stringify(text)}`;
const chat = (...lines: string[]) =>
  [user(`Complete the script and run it.\n${SCRIPT}`), 'agent diver', ...lines].join('\n');

const block = (line: string, language = 'python') => `\`\`\`${language}\n${line}\n\`\`\``;
const ran = (line: string, result: string) => [
  says(`Step:\n${block(line)}`),
  `message runner "exitcode: 0\\nCode output: ${result}"`,
  'agent diver',
];
const survey = (...lines: string[]) => [user('How deep is the lagoon at noon?'), 'agent diver', ...lines].join('\n');
const TWO_RUNS = [...ran('print(depth(1))', '4 m'), ...ran('print(depth(2))', '5 m')];

/** The last message contains code, and no word in it ends the chat. */
const unrunLast: DetectorRow[] = [
  {
    name: 'code_not_run: the run ends on new code, and the code of two earlier messages was run',
    trace: survey(
      ...TWO_RUNS,
      says(`Now the value at noon.\n${block('import tide\nprint(depth(12))')}\nRunner, please run it.`),
    ),
    fires: [
      {
        subtype: 'code_not_run',
        step: 5,
        agent: 'diver',
        severity: 'warning',
        text: 'contains code ("print(depth(12))") that nothing ran. The code of 2 earlier messages was run (steps 2 and 4); the last run, at step 4, returned',
        suggestion: 'Run the code of step 5 and let diver answer from its result.',
      },
    ],
  },
  {
    name: 'code_not_run: the code of more than six earlier messages was run',
    trace: survey(
      ...[1, 2, 3, 4, 5, 6, 7].flatMap((hour) => ran(`print(depth(${hour}))`, `${hour} m`)),
      says(`Now the value at noon.\n${block('print(depth(12))')}`),
    ),
    fires: [
      {
        subtype: 'code_not_run',
        text: 'The code of 7 earlier messages was run (7 steps from 2 to 14); the last run, at step 14,',
      },
    ],
  },
  {
    name: 'code_not_run: another agent wrote the last code; the earlier code was run by a tool',
    trace: survey(
      says(block('print(depth(1))')),
      `tool run_code {"code":"print(depth(1))"} -> "exitcode: 0\\n4 m"`,
      says(block('print(depth(2))')),
      `tool run_code {"code":"print(depth(2))"} -> "exitcode: 0\\n5 m"`,
      'agent keeper',
      says(`Noch einmal für Mittag:\n${block('print(depth(12))')}`),
    ),
    fires: [{ subtype: 'code_not_run', step: 5, agent: 'keeper', severity: 'warning' }],
  },
  {
    name: 'silent: the last code was run',
    trace: survey(...TWO_RUNS, ...ran('print(depth(12))', '9 m')),
    silent: true,
  },
  {
    name: 'silent: an answer with the code that was run',
    trace: survey(...TWO_RUNS, says(`It is 5 m deep. The code:\n${block('print(depth(2))')}`)),
    silent: true,
  },
  {
    name: 'silent: the code of one earlier message was run',
    trace: survey(...ran('print(depth(1))', '4 m'), says(`Here is the program:\n${block('print(depth(12))')}`)),
    silent: true,
  },
  {
    name: 'silent: the program does not run each code, and the last one is the answer',
    trace: survey(
      ...TWO_RUNS,
      ...['a', 'b', 'c'].flatMap((name) => [
        says(`A draft:\n${block(`print(${name})`)}`),
        'message critic "Shorter, please."',
        'agent diver',
      ]),
      says(`Here is the program:\n${block('print(depth(12))')}`),
    ),
    silent: true,
  },
  {
    name: 'silent: the last block has a language that the run never executed',
    trace: survey(...TWO_RUNS, says(`The result:\n${block('{"depth": 5}', 'json')}`)),
    silent: true,
  },
  {
    name: 'silent: the user runs the code and stops',
    trace: survey(
      ...[1, 2].flatMap((hour) => [says(block(`print(depth(${hour}))`)), 'user "exit code: 1"', 'agent diver']),
      says(`Then use this:\n${block('print(depth(12))')}`),
    ),
    silent: true,
  },
  {
    name: 'silent: a word in capitals ends the chat',
    trace: survey(...TWO_RUNS, says(`The program:\n${block('print(depth(12))')}\n\nFERTIG`)),
    silent: true,
  },
];

const rows: DetectorRow[] = [
  {
    name: 'code_not_run: the message with the code ends the chat',
    trace: chat(says(`This works.\n${CODE}\n\n**TERMINATE**`)),
    fires: [{ subtype: 'code_not_run', step: 1, agent: 'diver', severity: 'warning', text: '`verify(level)`' }],
  },
  {
    name: 'code_not_run: the message claims the result of the run',
    trace: chat(says(`${CODE}\nAll tests pass.\nTERMINATE`)),
    fires: [{ subtype: 'code_not_run', severity: 'critical', text: 'The message says "All tests pass."' }],
  },
  {
    name: 'code_not_run: the message claims that the code was tested',
    trace: chat(
      says(`${CODE}\nNobody reported an error. The function has been fully implemented and tested.\nTERMINATE`),
    ),
    fires: [
      {
        subtype: 'code_not_run',
        severity: 'critical',
        text: 'The message says "The function has been fully implemented and tested."',
      },
    ],
  },
  {
    name: 'code_not_run: the message only states that the code is to be tested',
    trace: chat(says(`${CODE}\nThe function is complete, so that it can be tested.\nTERMINATE`)),
    fires: [{ subtype: 'code_not_run', severity: 'warning' }],
  },
  {
    name: 'code_not_run: the message shows output that no tool produced',
    trace: chat(says(`${CODE}\nThe output:\n\`\`\`\nRan 5 tests in 0.001s\n\nOK\n\`\`\`\nTERMINATE`)),
    fires: [
      {
        subtype: 'code_not_run',
        text: 'The output that the message shows ("Ran 5 tests in 0.001s") was not produced by a tool.',
      },
    ],
  },
  {
    name: 'code_not_run: the task has an example',
    trace: [
      user(`Complete the script:\nlevel(7) -> 1\nlevel(1205) -> 5\n${SCRIPT}`),
      'agent diver',
      says(`${CODE}\nTERMINATE`),
    ].join('\n'),
    fires: [
      {
        subtype: 'code_not_run',
        suggestion:
          'run the code of step 1. Have diver run all 2 examples of the task first, which no run executes: `level(7)` should return `1` and `level(1205)` `5`.',
      },
    ],
  },
  {
    name: 'code_not_run: no code was executed in the run',
    trace: chat(says(`${CODE}\nTERMINATE`)),
    fires: [{ subtype: 'code_not_run', text: 'The run executed no code at all.' }],
  },
  {
    name: 'code_not_run: an earlier version failed',
    trace: chat(says(FIRST_CODE), FAILED_RUN, 'agent diver', says(`${CODE}\nTERMINATE`)),
    fires: [
      {
        subtype: 'code_not_run',
        severity: 'critical',
        text: 'The version before it failed at step 2 ("NameError: hours").',
        suggestion: 'Compare the code of step 3 with the failure of step 2 ("NameError: hours").',
      },
    ],
  },
  {
    name: 'code_not_run: the code is the one that failed',
    trace: chat(says(CODE), FAILED_RUN, 'agent diver', says(`Once more.\n${CODE}\nTERMINATE`)),
    fires: [
      {
        subtype: 'code_not_run',
        severity: 'critical',
        text: 'The run ended with the code that had failed at step 2, unchanged ("NameError: hours").',
        impact: 'known to fail',
        suggestion: 'Have diver change the code for what step 2 shows',
        fix: 'Reject code that has already failed',
      },
    ],
  },
  {
    name: 'code_not_run: the code is the one that failed, with other blank lines; all failed runs are named',
    trace: chat(
      says(FIRST_CODE),
      FAILED_RUN,
      'agent diver',
      says(CODE),
      FAILED_RUN,
      'agent diver',
      says(`${CODE.replace('\n\nverify', '\n\n\nverify')}\nTERMINATE`),
    ),
    fires: [
      {
        subtype: 'code_not_run',
        text: 'The run ended with the code that had failed at step 4, unchanged. 2 earlier runs with that call failed (steps 2 and 4), the last one ("NameError',
        fix: 'Reject code that has already failed',
      },
    ],
  },
  {
    name: 'code_not_run: the failed runs had the same functions',
    trace: chat(
      says(CODE),
      FAILED_RUN,
      'agent diver',
      says(CODE),
      FAILED_RUN,
      'agent diver',
      says(`${CODE}\nTERMINATE`),
    ),
    fires: [
      {
        subtype: 'code_not_run',
        text: '2 earlier runs with that call failed (steps 2 and 4), all with the same functions, the last one',
      },
    ],
  },
  {
    name: 'code_not_run: the failed code, after a run without the call, with a claim above the code',
    trace: chat(
      says(CODE),
      FAILED_RUN,
      'agent diver',
      says(CODE.replace('\n\nverify(level)', '').replace('% 6', '% 12')),
      'message runner "exitcode: 0 (execution succeeded)\\nCode output: \\n"',
      'agent diver',
      says(`All tests pass now.\n${CODE.replace('def', `# ${'x'.repeat(1600)}\ndef`)}\nTERMINATE`),
    ),
    fires: [
      {
        subtype: 'code_not_run',
        severity: 'critical',
        text: 'The run ended with the code that had failed at step 2, unchanged ("NameError: hours"). Step 4 ran code without `verify(level)`, so its result says nothing about it. The message says "All tests pass now."',
      },
    ],
  },
  {
    name: 'silent: the chat continues with the result',
    trace: chat(says(`${CODE}\nTERMINATE`), 'message runner "exitcode: 0 (execution succeeded)\\nCode output: ok"'),
    silent: true,
  },
  { name: 'silent: the message does not end the chat', trace: chat(says(CODE)), silent: true },
  {
    name: 'silent: the code is not the script of the user',
    trace: chat(says('```python\nprint(6)\n```\nTERMINATE')),
    silent: true,
  },
  { name: 'silent: the message only ends the chat', trace: chat(says('Done.\nTERMINATE')), silent: true },
  ...unrunLast,
];

testDetector(completion, rows);
