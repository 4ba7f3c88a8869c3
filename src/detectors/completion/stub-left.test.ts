import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const fenced = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
const STUB = 'def level(hour):\n    """Water level."""\n    # complete the function here\n\nverify(level)';
const DONE = 'def level(hour):\n    """Water level."""\n    return hour % 6\n\nverify(level)';
const UNASSIGNED = 'def level(hour):\n    # complete the function here\n    return water_level\n\nverify(level)';
const BLANK = 'def level(hour):\n    # as above\n\nverify(level)';
const NO_BLOCK =
  '  File "gauge.py", line 4\n    verify(level)\n    ^\nIndentationError: expected an indented block after function definition on line 1';
const HELPER = 'def verify(function):\n    print(function(1))\n\n';
const GIVEN = 'def level(hour):\n    """Water level."""\n\nverify(level)';
const says = (text: string) => `llm gpt-4o -> ${JSON.stringify(text)}`;
const runs = (code: string, result: string) =>
  `tool execute_code ${JSON.stringify({ code })} -> ${JSON.stringify(result)}`;
const chat = (request: string, ...lines: string[]) =>
  [`user ${JSON.stringify(request)}`, 'agent diver', ...lines].join('\n');
const GIVEN_REQUEST = `Complete the function.\n${fenced(GIVEN)}`;

const rows: DetectorRow[] = [
  {
    name: 'stub_left: the code that ran has no body of the requested function',
    trace: chat(
      GIVEN_REQUEST,
      says(`Here it is.\n${fenced(STUB)}`),
      runs(STUB, 'exitcode: 0\nSome tests failed'),
      says('Please complete the function.'),
    ),
    fires: [
      {
        subtype: 'stub_left',
        step: 1,
        agent: 'diver',
        severity: 'critical',
        text: 'no code of the run implements it: the version of diver at step 1 contains only "# complete the function here"',
        suggestion: 'Have diver write the body of `level`',
      },
    ],
  },
  {
    name: 'stub_left: nothing ran the code',
    trace: chat(GIVEN_REQUEST, says(fenced(STUB))),
    fires: [{ subtype: 'stub_left', step: 1, text: 'Nothing ran the code, and the run ended.' }],
  },
  {
    name: 'stub_left: the message with the code ends the chat',
    trace: chat(GIVEN_REQUEST, says(`${fenced(STUB)}\n\nTERMINATE`)),
    fires: [
      {
        subtype: 'stub_left',
        step: 1,
        text: 'The same message ends the chat with TERMINATE, so nothing ran the code.',
        suggestion: 'and have diver write TERMINATE only after it has seen a result.',
      },
    ],
  },
  {
    name: 'stub_left: several versions, each without a statement',
    trace: chat('Write level(hour) and run verify.', runs(STUB, 'failed'), runs(`${STUB}\n`, 'failed')),
    fires: [{ subtype: 'stub_left', text: '1 later version (step 2)' }],
  },
  {
    name: 'stub_left: a comment and the return of a name that nothing assigns',
    trace: chat(GIVEN_REQUEST, says(fenced(UNASSIGNED)), runs(UNASSIGNED, 'Some tests failed'), says('Looks good.')),
    fires: [
      {
        subtype: 'stub_left',
        step: 1,
        severity: 'critical',
        text: 'contains only "# complete the function here" and the return of `water_level`, which nothing assigns, in place of the body',
        suggestion: 'Have diver write the body of `level`',
      },
    ],
  },
  {
    name: 'stub_left: the code that the run ended on leaves out the body that an earlier step wrote',
    trace: chat(
      GIVEN_REQUEST,
      says(`First the function.\n${fenced(DONE)}\nThen the script.\n${fenced(BLANK)}`),
      runs(BLANK, NO_BLOCK),
      says(`The block is indented now.\n${fenced(BLANK)}`),
      runs(BLANK, NO_BLOCK),
      says('It works now.'),
    ),
    fires: [
      {
        subtype: 'stub_left',
        step: 1,
        severity: 'critical',
        text: 'The body of `level` has only a comment ("# as above") since step 1, and the body that another block of step 1 wrote is not part of it. The code of steps 1, 2, 3 and 4 leaves it out.',
        suggestion:
          'Have diver include the body of `level` that step 1 wrote: in the code of step 4 it has only a comment ("# as above"). Run it before it is accepted: no run shows that the body of step 1 works.',
      },
    ],
  },
  {
    name: 'stub_left: the tests failed with the body that an earlier step wrote',
    trace: chat(
      GIVEN_REQUEST,
      says(fenced(DONE)),
      runs(DONE, 'exitcode: 0\nSome tests failed'),
      says(fenced(BLANK)),
      runs(BLANK, NO_BLOCK),
      says('It works now.'),
    ),
    fires: [
      {
        subtype: 'stub_left',
        step: 3,
        suggestion:
          'Have diver correct and include the body of `level` that step 2 wrote (the tests failed with it at step 2): in the code of step 4 it has only a comment ("# as above"). Reject code',
      },
    ],
  },
  {
    name: 'stub_left: each message has a block without a body above one with a body',
    trace: chat(
      GIVEN_REQUEST,
      ...[0, 1].flatMap(() => [
        says(`The script:\n${fenced(BLANK)}\nIf you add a body:\n${fenced(DONE)}`),
        runs(`${BLANK}\n\n${DONE}`, NO_BLOCK),
      ]),
      says('Indent the call.'),
    ),
    fires: [{ subtype: 'stub_left', step: 1, severity: 'critical' }],
  },
  {
    name: 'stub_left: next to other functions, and Python reports that the body is missing',
    trace: chat(GIVEN_REQUEST, says(fenced(`${HELPER}${BLANK}`)), runs(`${HELPER}${BLANK}`, NO_BLOCK), says('Done.')),
    fires: [{ subtype: 'stub_left', step: 1, severity: 'critical' }],
  },
  {
    name: 'silent: a part of the function after a version that passed',
    trace: chat(
      GIVEN_REQUEST,
      says(fenced(DONE)),
      runs(DONE, 'passed'),
      says(`In short:\n${fenced(BLANK)}`),
      runs(BLANK, 'passed'),
    ),
    silent: true,
  },
  {
    name: 'silent: a body follows the run that failed without it',
    trace: chat(GIVEN_REQUEST, says(fenced(DONE)), runs(BLANK, NO_BLOCK), says(fenced(DONE))),
    silent: true,
  },
  {
    name: 'silent: an earlier cell assigns the name that the function returns',
    trace: chat('Write level(hour) and run verify.', runs('water_level = 3', ''), runs(UNASSIGNED, 'passed')),
    silent: true,
  },
  {
    name: 'silent: a later version has a body',
    trace: chat(GIVEN_REQUEST, says(fenced(STUB)), runs(STUB, 'failed'), says(fenced(DONE)), runs(DONE, 'passed')),
    silent: true,
  },
  {
    name: 'silent: the message is cut off after the head of the function',
    trace: chat(GIVEN_REQUEST, says('It prints:\n```python\ndef level(hour):')),
    silent: true,
  },
  {
    name: 'silent: the user shows the function in the output of a test program, which marks its failing line',
    trace: chat(
      `Why is this confusing?\n${fenced('def level():\n>       assert 1 == 2\nE       assert 1 == 2')}`,
      says(`It would show:\n${fenced('def level():\n    # as before')}`),
    ),
    silent: true,
  },
  {
    name: 'silent: the user did not ask for the function',
    trace: chat('Plot the tides.', runs('def on_close(event):\n    pass\nplot(on_close)', 'plotted')),
    silent: true,
  },
  {
    name: 'silent: the message names a function of a file, and its code is a part of the file',
    trace: chat('Why is level(hour) slow?', says(`The file says:\n${fenced('def level(hour):\n    # ...')}`)),
    silent: true,
  },
  {
    name: 'silent: tests for a function that the user gives without a body',
    trace: chat(
      `Write tests first.\n${fenced(GIVEN)}`,
      says(fenced(`${GIVEN}\n\ndef test_level():\n    check(level(1), 2)`)),
    ),
    silent: true,
  },
  {
    name: 'silent: assertions about a function that the user gives without a body',
    trace: chat(`Write tests first.\n${fenced(GIVEN)}`, runs(`${GIVEN}\nassert level(1) == 2`, 'AssertionError')),
    silent: true,
  },
  {
    name: 'silent: the run is not finished',
    trace: `running\n${chat(GIVEN_REQUEST, says(fenced(STUB)))}`,
    silent: true,
  },
];

testDetector(completion, rows);
