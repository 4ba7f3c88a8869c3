import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { qualityGate } from './detector.ts';

const ERROR = 'Traceback (most recent call last):\n  File "kiln.py", line 3, in fire\nValueError: 1200 is too hot';
const check = (result: string, command = 'python show_kiln.py') =>
  `tool bash ${JSON.stringify({ command })} -> ${JSON.stringify(result)}`;
const EDIT = 'tool edit {"text":"limit = 900"} -> "The file kiln.py has 12 lines now."';
const DONE = 'llm gpt-4o -> "The kiln stays below its limit."';

const run = (...lines: string[]) => ['user "The kiln is too hot."', 'agent potter', ...lines, DONE].join('\n');

/** A diff that replaces a statement by a comment. */
const COMMENTED = [
  'diff --git a/kiln.py b/kiln.py',
  '--- a/kiln.py',
  '+++ b/kiln.py',
  '@@ -1,2 +1,2 @@',
  ' def fire(limit):',
  '-    check(limit)',
  '+# the limit would be checked here',
].join('\n');

/** A diff that only adds a script for reproduction. */
const SCRIPT = [
  'diff --git a/reproduce_heat.py b/reproduce_heat.py',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/reproduce_heat.py',
  '@@ -0,0 +1,1 @@',
  '+print(fire(1200))',
].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'failing_check_left: the submission holds only the script of the check',
    trace: `user "The kiln is too hot."\nagent potter\n${[check(ERROR, 'python reproduce_heat.py'), 'tool edit {"text":"fire(900)"} -> "The file reproduce_heat.py has 1 line now."', check(ERROR, 'python reproduce_heat.py')].join('\n')}\ntool submit -> ${JSON.stringify(SCRIPT)}`,
    fires: [
      {
        subtype: 'failing_check_left',
        severity: 'critical',
        step: 4,
        text: 'contains only a file that the run made itself and that the task does not name: reproduce_heat.py. No file that existed before was changed. The run opened no source file. A check with bash failed in both runs, first at step 1 and again at step 3',
        suggestion:
          'Reject submit while no existing file differs, leave reproduce_heat.py out of the diff, and tell potter that it opened no source file: it has to find the code that the task is about and change it with edit.',
      },
    ],
  },
  {
    name: 'failing_check_left: only edits count as changes',
    trace: run(check(ERROR), 'tool scroll_down "scroll_down" -> "line 40"', EDIT, check(ERROR)),
    fires: [{ subtype: 'failing_check_left', severity: 'warning', text: 'with 1 change in between' }],
  },
  {
    name: 'failing_check_left: a rejected edit is no change',
    trace: run(
      check(ERROR),
      String.raw`tool edit "edit 1:2\nlimit = heat\nend_of_edit" -> "The change has new syntax errors. Read them and retry.\n\nERRORS:\n- F821 undefined name 'heat'"`,
      EDIT,
      check(ERROR),
    ),
    fires: [{ subtype: 'failing_check_left', severity: 'warning', text: 'with 1 change in between' }],
  },
  {
    name: 'failing_check_left: the change replaces code with a comment',
    trace: `user "The kiln is too hot."\nagent potter\n${[check(ERROR), EDIT, check(ERROR)].join('\n')}\ntool submit -> ${JSON.stringify(COMMENTED)}`,
    fires: [
      {
        subtype: 'failing_check_left',
        severity: 'critical',
        text: 'The submitted change only replaces code of kiln.py with comments: "# the limit would be checked here".',
        suggestion: 'Restore the code that was removed from kiln.py',
        fix: 'Restore the code that was removed',
      },
    ],
  },
  {
    name: 'failing_check_left: the step is the one that writes the comment',
    trace: `user "The kiln is too hot."\nagent potter\n${[check(ERROR), 'tool edit {"path":"kiln.py","old":"check(limit)","new":"# the limit would be checked here"} -> "The file kiln.py has 2 lines now."', check(ERROR)].join('\n')}\ntool submit -> ${JSON.stringify(COMMENTED)}`,
    fires: [{ subtype: 'failing_check_left', step: 2 }],
  },
  {
    name: 'failing_check_left: changes between all runs are counted, and equal errors once',
    trace: run(check('a\n'.concat(ERROR)), EDIT, check(ERROR), EDIT.replace('900', '800'), check(ERROR)),
    fires: [
      {
        subtype: 'failing_check_left',
        text: 'first at step 1 and again at step 5 with 2 changes in between: "ValueError: 1200 is too hot"',
      },
    ],
  },
  {
    name: 'failing_check_left: the same command fails before and after the change, with another error',
    trace: run(check(ERROR), EDIT, check(ERROR.replace('ValueError', 'TypeError'))),
    fires: [
      {
        subtype: 'failing_check_left',
        step: 3,
        agent: 'potter',
        severity: 'warning',
        text: 'TypeError',
        fix: 'Correct what the result reports',
      },
    ],
  },
  {
    name: 'failing_check_left: reads and the submission follow it',
    trace: run(
      check(ERROR),
      EDIT,
      check(ERROR),
      'tool bash {"command":"git diff"} -> "limit"',
      'tool submit -> "done"',
    ),
    fires: [{ subtype: 'failing_check_left', step: 3 }],
  },
  {
    name: 'failing_check_left: program text that a tool runs',
    trace: run(
      ...[0, 1].flatMap((at) => [
        `tool rechne {"code":"show(kiln)"} -> ${JSON.stringify(ERROR)}`,
        at === 0 ? EDIT : '',
      ]),
    ),
    fires: [{ subtype: 'failing_check_left', step: 3 }],
  },
  {
    name: 'silent: a booking that is rejected twice is not a check',
    trace: run(...[0, 1].flatMap((at) => [`tool buche {"day":"mon"} !! fully booked`, at === 0 ? EDIT : ''])),
    fires: [],
  },
  { name: 'silent: it works after the change', trace: run(check(ERROR), EDIT, check('900')), silent: true },
  { name: 'silent: it failed once', trace: run(EDIT, check(ERROR)), silent: true },
  { name: 'silent: it worked before', trace: run(check('900'), EDIT, check(ERROR)), silent: true },
  { name: 'silent: nothing was changed in between', trace: run(check(ERROR), check(ERROR)), silent: true },
  {
    name: 'silent: something else was run after it and worked',
    trace: run(check(ERROR), EDIT, check(ERROR), check('900', 'python kiln.py --limit 900')),
    silent: true,
  },
  {
    name: 'silent: a search that finds nothing, twice',
    trace: run(...[0, 1].map(() => `tool bash {"command":"grep -rn hot src"} exit 1 -> ""\n${EDIT}`)),
    silent: true,
  },
  {
    name: 'silent: the session was interrupted',
    trace: `session {"endedBy":"interrupted"}\n${run(check(ERROR), EDIT, check(ERROR))}`,
    silent: true,
  },
];

testDetector(qualityGate, rows);
