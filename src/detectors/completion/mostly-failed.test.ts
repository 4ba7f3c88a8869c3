import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const fails = (what: string, why: string) => `tool ${what} {"unit":"H4"} !! ${why}`;
const works = (what: string) => `tool ${what} {"unit":"H4"} -> "Unit H4 answers after ${what} with 12 degrees."`;
const ANSWER = 'llm gpt-4o -> "The heating runs."';
const run = (...lines: string[]) => ['user "Heat room 4."', 'agent warden', ...lines, ANSWER].join('\n');

const FOUR = [
  fails('entlüften', 'the valve is stuck'),
  fails('zünden', 'no gas arrives'),
  fails('pumpen', 'the pump is dry'),
  fails('spülen', 'no water in the pipe'),
];

const STACK = `tool bash {"command":"node valve.js"} exit 1 -> ${JSON.stringify('/srv/valve.js:3\n  throw new Error();\n\nError: no valve answers\n    at open (/srv/valve.js:3:9)\n\nNode.js v22.1.0')}`;

const CODE = 'from gauges import read_all\ndef read_all(f):\n    f([])\nread_all(mean)';
const REPLACED = [
  'user "Complete it:\\n```python\\nfrom gauges import read_all\\nread_all(mean)\\n```"',
  'agent dev',
  ...['mean', 'gas', 'pump', 'pipe', 'flame', 'heat'].map(
    (name) => `tool python ${JSON.stringify({ code: `${CODE}\nprint(${name})` })} !! NameError: ${name} is not defined`,
  ),
  'llm gpt-4o -> "Done."',
].join('\n');

const ran = (code: string, result: string) => `tool execute_code ${JSON.stringify(code)} -> ${JSON.stringify(result)}`;
const GIVEN_TESTS = [
  'user "Complete it:\\n```python\\nfrom gauges import read_all\\nread_all(mean)\\n```"',
  'agent dev',
  ran('from gauges import read_all\ndef mean(values):\n    return 0\nread_all(mean)', 'exitcode: 0\nSome tests failed'),
  ran('# filename: gauges.py\nimport unittest', "exitcode: 1\nImportError: cannot import name 'read_all'"),
  ...['gas', 'pump', 'pipe', 'flame'].map((name) =>
    ran(`import ${name}`, `exitcode: 1\nModuleNotFoundError: No module named '${name}'`),
  ),
  'llm gpt-4o -> "It works:\\n```\\nRan 4 tests in 0.002s\\n\\nOK\\n```"',
].join('\n');

const CHECK = 'cd /srv/gauges\npython check.py';
const REPEATED_CHECK = GIVEN_TESTS.replace(
  /llm gpt-4o.*/,
  [
    ran(
      CHECK,
      "exitcode: 1\n: line 1: cd: /srv/gauges: No such file or directory\nModuleNotFoundError: No module named 'gauge'",
    ),
    `llm gpt-4o -> ${JSON.stringify(`Run it there:\n\`\`\`bash\n# the folder of the gauges\n${CHECK}\n\`\`\``)}`,
  ].join('\n'),
);

const rows: DetectorRow[] = [
  {
    name: 'mostly_failed: the last message repeats code that failed, because a folder is missing',
    trace: REPEATED_CHECK,
    fires: [
      {
        subtype: 'mostly_failed',
        text: 'The run ended with the code that had failed at step 7, unchanged (step 8).',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: no call worked, the tests were replaced, and the output of the last message is invented',
    trace: GIVEN_TESTS,
    fires: [
      {
        subtype: 'mostly_failed',
        severity: 'critical',
        text: 'No call worked: in the other one (step 1), the tests failed ("Some tests failed"). The last run with `read_all(mean)` from the user\'s script is that of step 1 ("Some tests failed"): the code of 5 later runs does not contain it. The message at step 7 shows output that no tool produced ("Ran 4 tests in 0.002s").',
        suggestion:
          'Restore the given gauges.py, reject code of dev that writes this file, then correct the code for "Some tests failed" at step 1.',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: begins with the replaced tests',
    trace: GIVEN_TESTS,
    fires: [
      {
        subtype: 'mostly_failed',
        step: 2,
        text: "Step 2 replaced the user's file gauges.py, which the user's code imports, so the given version is lost. 5 of the 6 calls of the run failed",
        impact: 'No call worked',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the cause of the most frequent failure',
    trace: run(
      works('messen'),
      ...['Great! It', 'I', 'I now', 'I again'].map(
        (words) =>
          `tool bash ${JSON.stringify({ command: `${words} heat the room.` })} -> "/bin/bash: line 1: ${words.split(' ')[0]}: command not found"`,
      ),
      'tool bash {"command":"heat 4"} -> "heat: no gas arrives"',
    ),
    fires: [
      {
        subtype: 'mostly_failed',
        text: 'At step 5 "I" is run as a program, so the call contains text that is not a command. That is the cause of at least 4 of the 5 failures.',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: a sentence with an apostrophe has the same cause as one without',
    trace: run(
      works('messen'),
      ...['Great! It', 'I', 'I now'].map(
        (words) =>
          `tool bash ${JSON.stringify({ command: `${words} heat the room.` })} -> "/bin/bash: line 1: ${words.split(' ')[0]}: command not found"`,
      ),
      ...['Done', 'Sorry'].map(
        (word) =>
          `tool bash ${JSON.stringify({ command: `${word}, I'm glad that the room is warm.` })} -> ${JSON.stringify("/bin/bash: -c: line 1: unexpected EOF while looking for matching `''\n/bin/bash: -c: line 2: syntax error: unexpected end of file")}`,
      ),
    ),
    fires: [{ subtype: 'mostly_failed', text: 'That is the cause of all 5 failures.' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: all calls failed',
    trace: run(FOUR[0]!, FOUR[1]!, ...FOUR.map((line) => line.replace('H4', 'H5'))),
    fires: [{ subtype: 'mostly_failed', severity: 'warning', text: 'All 6 calls of the run failed, with 4' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: four of six calls, the last one among them, though an answer follows',
    trace: run(works('messen'), works('lesen'), ...FOUR),
    fires: [
      {
        subtype: 'mostly_failed',
        step: 3,
        agent: 'warden',
        severity: 'warning',
        text: '4 of the 6 calls of the run failed, with 4 different messages: the first one, entlüften at step 3, with "the valve is stuck", and the last one, spülen at step 6, with "no water in the pipe". The run ended with the message at step 7: "The heating runs."',
        suggestion:
          'Find the cause in spülen and its log: step 6 passed {"unit":"H4"}, and spülen failed with "no water in the pipe".',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the error is quoted, not the version that the runtime prints below it',
    trace: run(works('messen'), works('lesen'), STACK, ...FOUR.slice(1)),
    fires: [{ subtype: 'mostly_failed', step: 3, text: 'with "Error: no valve answers", and' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the most frequent message is quoted, and the advice is about it',
    trace: run(works('messen'), FOUR[1]!, FOUR[0]!, FOUR[1]!.replace('H4', 'H5'), FOUR[2]!, FOUR[3]!),
    fires: [
      {
        subtype: 'mostly_failed',
        step: 2,
        text: '2 of them (steps 2 and 4) with "no gas arrives", and the last one',
        suggestion: 'Find the cause in zünden and its log: step 4 passed {"unit":"H5"}',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the code replaces a function of the given module',
    trace: REPLACED,
    fires: [
      {
        subtype: 'mostly_failed',
        text: "The code of step 1 defines `read_all`, which the user's code imports from `gauges`: the given version did not run.",
        suggestion: 'Have dev remove its own `read_all` from the code and use the one of `gauges`.',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: nothing follows the last failure',
    trace: run(...FOUR.slice(0, 3), works('messen'), FOUR[3]!, FOUR[0]!.replace('H4', 'H5')).replace(`\n${ANSWER}`, ''),
    fires: [
      {
        subtype: 'mostly_failed',
        severity: 'critical',
        impact:
          'Most calls failed, the last one among them, and nothing after it was seen to work: the task is not done.',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: three failures in a row come only at the end, so that a rule on them would not have ended the run earlier',
    trace: run(FOUR[0]!, FOUR[1]!, works('messen'), ...FOUR.slice(0, 3)),
    fires: [{ subtype: 'mostly_failed', suggestion: 'End the run as failed if its last call failed.' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: three failures in a row long before the end',
    trace: run(...FOUR.slice(0, 3), works('messen'), ...FOUR.slice(0, 3)),
    fires: [
      { subtype: 'mostly_failed', suggestion: 'Stop the run after 3 failed calls in a row, with their messages.' },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: failures of the runner, tests that failed without an error, and versions that were replaced',
    trace: [
      'user "Complete mean."',
      'agent dev',
      ran('def mean(values):\n    return 0\nread_all(mean)', 'exitcode: 0\nSome tests failed'),
      ...[1, 2].map((at) =>
        ran(`def mean(values):\n    return ${at}\nassert mean([]) == 5`, 'exitcode: 1\nAssertionError: not 5'),
      ),
      ...[3, 4].map((at) => ran(`def mean(values):\n    return ${at}`, 'exitcode: 1\nunknown language plain')),
      ran('print(1)', 'exitcode: 0\n1'),
      ran('def mean(values):\n    retur 4', 'exitcode: 1\nSyntaxError: invalid syntax'),
      'llm gpt-4o -> "Done."',
    ].join('\n'),
    fires: [
      {
        subtype: 'mostly_failed',
        text: '2 of the failures (steps 4 and 5) are only the rejection of a code block that is no code ("unknown language plain"). The tests also failed in step 1, without an error of the call ("Some tests failed").',
        suggestion: 'put nothing but code into code blocks: execute_code runs each of them.',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: an answer follows the last failure',
    trace: run(works('messen'), works('lesen'), ...FOUR),
    fires: [{ subtype: 'mostly_failed', severity: 'warning' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the run ended as failed',
    trace: { ...parseTrace(run(works('messen'), works('lesen'), ...FOUR)), status: 'error' },
    fires: [{ subtype: 'mostly_failed', step: 3, text: 'and the run ended as failed' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: a refused call after the last failure',
    trace: run(works('messen'), works('lesen'), ...FOUR, 'tool spülen {"unit":"H5"} refused user "no"'),
    fires: [
      {
        subtype: 'mostly_failed',
        step: 3,
        text: '(1 refused call not counted), with 4 different messages',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: half of the calls worked',
    trace: run(works('a'), works('b'), FOUR[0]!, FOUR[1]!, works('c'), FOUR[2]!),
    silent: true,
  },
  {
    name: 'silent: the last call worked',
    trace: run(...FOUR, FOUR[0]!.replace('H4', 'H5'), works('messen')),
    silent: true,
  },
  {
    name: 'silent: five calls are too few',
    trace: run(works('messen'), works('lesen'), ...FOUR.slice(1)),
    fires: [{ subtype: 'ended_on_failures', severity: 'info' }],
  },
  {
    name: 'silent: the run is not finished',
    trace: `running\n${run(works('messen'), works('lesen'), ...FOUR)}`,
    silent: true,
  },
];

testDetector(completion, rows);
