import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const call = (command: string, result: string, more = '') =>
  `tool bash ${JSON.stringify({ command })} ${more}-> ${JSON.stringify(result)}`;

const FAILURES = [
  call('./mill --grind', 'sh: ./mill: not found'),
  call('make mill', 'make: *** [mill] Error 2\nerror: no rule for mill'),
  call('gcc mill.c', 'mill.c:4:7: error: unknown type name grain'),
];

const run = (...calls: string[]) => ['user "Grind the grain."', 'agent miller', ...calls].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'ended_on_failures: three calls that fail in different ways, and nothing after them',
    trace: run(call('ls', 'mill.c'), ...FAILURES),
    fires: [
      {
        subtype: 'ended_on_failures',
        step: 2,
        agent: 'miller',
        severity: 'warning',
        text: 'the first one with "sh: ./mill: not found" and the last one with "mill.c:4:7: error: unknown type name grain"',
        suggestion: '"mill.c:4:7: error: unknown type name grain"',
      },
    ],
  },
  {
    name: 'ended_on_failures: no call of the run worked, and there is no answer',
    trace: run(
      ...[1, 2, 3, 4, 5].map((at) => call(`grind -n ${at}`, '/bin/bash: line 1: grind: command not found')),
      call('./mill', 'sh: ./mill: not found'),
      call('grind -n 6', '/bin/bash: line 1: grind: command not found'),
      call('grind -n 6', '/bin/bash: line 1: grind: command not found'),
    ),
    fires: [
      {
        subtype: 'ended_on_failures',
        severity: 'critical',
        text: 'All 8 calls of the run (bash, steps 1 to 8) failed, the first and the last one with "/bin/bash: line 1: grind: command not found". The last 2 calls are equal. There is no program "grind" where bash runs. That is the cause of at least 7 of the 8 failures. No call of the run worked, and the run ended there.',
        impact: 'No call worked, and there is no answer',
      },
    ],
  },
  {
    name: 'ended_on_failures: the cause of the failures, which their messages do not state',
    trace: run(
      call('ls', 'mill.c'),
      ...[1, 2, 3].map((at) =>
        call(
          `echo \`${at}\` | awk "{print $2}"`,
          `$2}: -c: line ${at}: unexpected EOF while looking for matching \`"'`,
        ),
      ),
      call('awk "{print $1}" x', `$1}: -c: line 1: unexpected end`),
    ),
    fires: [
      {
        subtype: 'ended_on_failures',
        severity: 'warning',
        text: 'a part of the command of step 5, as its own name, so a " in the command ended it early. That is the cause of all 4 failures.',
        suggestion: 'without quoting it again. Until then',
      },
    ],
  },
  {
    name: 'ended_on_failures: the cause of most failures, and earlier calls with it',
    trace: run(
      call('```BASH\\nls mill\\n```', 'bash: line 3: BASH: command not found\\nmill.c'),
      call('ls', 'mill.c'),
      ...['cd mill', 'pwd', 'ls /'].map((command) =>
        call(`\`\`\`BASH\\n${command}\\n\`\`\``, `bash: line 3: BASH: command not found`),
      ),
      call('gcc mill.c', 'mill.c:4:7: error: unknown type name grain'),
    ),
    fires: [
      {
        subtype: 'ended_on_failures',
        step: 1,
        text: 'At step 5 the ``` around the command make the shell run "BASH" as a program. That is the cause of at least 3 of the 4 failures. The same applies to step 1.',
        suggestion: 'Have miller send bash the command without the ``` around it',
      },
    ],
  },
  {
    name: 'ended_on_failures: a path that does not exist',
    trace: run(
      call('ls', 'mill.c'),
      ...['cat', 'head', 'tail'].map((program) =>
        call(`${program} /srv/mill/grain`, `${program}: /srv/mill/grain: No such file or directory`),
      ),
    ),
    fires: [
      {
        subtype: 'ended_on_failures',
        step: 2,
        text: 'The path /srv/mill/grain does not exist. That is the cause of all 3 failures.',
      },
    ],
  },
  {
    name: 'ended_on_failures: the run ends with an answer',
    trace: run(...FAILURES, 'llm gpt-4o -> "The grain is ground."'),
    fires: [{ subtype: 'ended_on_failures', text: 'with an answer' }],
  },
  {
    name: 'ended_on_failures: the edits were applied, and the same test failed after each',
    trace: run(
      ...[1, 2, 3].map(
        (at) =>
          `tool apply_edit {"path":"mill.py","new":"grain = ${at}"} -> ${JSON.stringify(`Applied edit to mill.py\n27 passed, 1 failed in ${at}.00s\nFAILED tests/test_mill.py::test_flour - assert\nTraceback (most recent call last):\n  File "mill.py", line ${at}\nAssertionError: ${'grain '.repeat(at)}`)}`,
      ),
    ),
    fires: [
      {
        subtype: 'ended_on_failures',
        text: 'The last 3 edits (apply_edit, steps 1 to 3) were applied, and after each of them the test tests/test_mill.py::test_flour failed (27 passed, 1 failed at step 3)',
        suggestion: 'Have miller find out why tests/test_mill.py::test_flour fails',
      },
    ],
  },
  {
    name: 'ended_on_failures: white space is no answer',
    trace: run(...FAILURES, 'llm gpt-4o -> "\\n"'),
    fires: [{ subtype: 'ended_on_failures', text: 'and the run ended there' }],
  },
  { name: 'silent: the last call works', trace: run(...FAILURES, call('cc mill.c', '')), silent: true },
  { name: 'silent: two failures', trace: run(...FAILURES.slice(1), 'llm gpt-4o -> "I cannot."'), silent: true },
  {
    name: 'silent: a user message follows',
    trace: run(...FAILURES, 'user "Never mind."', 'llm gpt-4o -> "As you like."'),
    silent: true,
  },
  {
    name: 'silent: calls of one message run in parallel',
    trace: run(
      ...['a', 'b', 'c'].map((file) => call(`cat ${file}.txt`, `cat: ${file}.txt: missing`, 'exit 1 of m1 ')),
      'llm gpt-4o -> "None of the three files is here."',
    ),
    silent: true,
  },
  {
    name: 'silent: searches that find nothing',
    trace: run(
      ...['a', 'b', 'c'].map((word) => call(`grep -rn ${word} mill`, '', 'exit 1 ')),
      'llm gpt-4o -> "None of the three words is used."',
    ),
    silent: true,
  },
  {
    name: 'silent: a program that ends well and prints an old error',
    trace: run(
      ...['a', 'b', 'c'].map((name) => call(`./show ${name}`, `Error: ${name} was late`, 'exit 0 ')),
      'llm gpt-4o -> "Shown."',
    ),
    silent: true,
  },
  { name: 'silent: the run is not finished', trace: `running\n${run(...FAILURES)}`, silent: true },
];

testDetector(completion, rows);
