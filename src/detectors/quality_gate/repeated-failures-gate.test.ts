import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { qualityGate } from './detector.ts';

const FAILING = 'FAILED tests/test_fare.py::test_return - assert 30 == 60';
const OTHER = 'FAILED tests/test_fare.py::test_child - assert 30 == 15';
const summary = (counts: string) => `===== ${counts} in 0.31 seconds =====`;

/** An edit that the coding tool applies and whose tests it runs. */
const edit = (text: string, output: string, path = 'ferry/price.py') =>
  `llm m -> "${text}"\ntool apply_edit {"path":"${path}","new":"${text}"} -> ${JSON.stringify(`Applied edit to ${path}\n\n${output}`)}`;
const failing = (text: string) => edit(text, `${FAILING}\n${summary('1 failed, 5 passed')}`);
const START = 'user "Return fares are charged once."\nagent dev';

const rows: DetectorRow[] = [
  {
    name: 'failing_check_left: the same test fails after each edit',
    trace: [START, failing('Twice the fare.'), failing('Twice, rounded.')].join('\n'),
    fires: [
      {
        subtype: 'failing_check_left',
        step: 4,
        agent: 'dev',
        severity: 'warning',
        text: 'tests/test_fare.py::test_return failed in all of them',
        impact: 'The run left a change that is known not to work.',
        suggestion: 'Have dev repair what step 4 shows',
        fix: 'Repair what the tests show',
      },
    ],
  },
  {
    name: 'failing_check_left: another test fails too, the arguments are not recorded, and the last edit is rejected',
    trace: [
      START,
      'llm m -> "Twice."',
      `tool apply_edit -> ${JSON.stringify(`Applied.\n${FAILING}\n${OTHER}\n${summary('2 failed, 4 passed')}`)}`,
      'llm m -> "Twice, rounded."',
      `tool apply_edit -> ${JSON.stringify(`Applied.\n${FAILING}\n${summary('1 failed, 5 passed')}`)}`,
      'llm m -> "Half."',
      'tool apply_edit -> "Error: the block does not match"',
    ].join('\n'),
    fires: [{ subtype: 'failing_check_left', step: 4, severity: 'warning' }],
  },
  {
    name: 'failing_check_left: the tests cannot be collected',
    trace: [
      START,
      ...['Twice.', 'Twice, rounded.'].map((text) =>
        edit(text, `ERROR tests/test_fare.py - NameError: name 'leg'\n${summary('1 error')}`),
      ),
    ].join('\n'),
    fires: [{ subtype: 'failing_check_left', step: 4, text: 'tests/test_fare.py failed' }],
  },
  {
    name: 'silent: the test passes at the end',
    trace: [START, failing('Twice.'), failing('Round.'), edit('Both.', summary('6 passed'))].join('\n'),
    silent: true,
  },
  {
    name: 'silent: another test fails after the second edit',
    trace: [START, failing('Twice.'), edit('Round.', `${OTHER}\n${summary('1 failed, 5 passed')}`)].join('\n'),
    silent: true,
  },
  { name: 'silent: one edit', trace: [START, failing('Twice.')].join('\n'), silent: true },
  {
    name: 'silent: an edit after the last run was applied without tests',
    trace: [START, failing('Twice.'), failing('Round.'), edit('Both.', '')].join('\n'),
    silent: true,
  },
  {
    name: 'silent: a new request of the user follows',
    trace: [START, failing('Twice.'), failing('Round.'), 'user "Leave it."', 'llm m -> "Fine."'].join('\n'),
    silent: true,
  },
];

testDetector(qualityGate, rows);
