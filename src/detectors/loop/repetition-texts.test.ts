import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';

/** A shell call after a message that consists of the command only, so that each call is an answer. */
const submits = (command: string, result: string) =>
  `llm m -> ${JSON.stringify(command)}\ntool bash {"command":${JSON.stringify(command)}} exit 0 -> ${JSON.stringify(result)}`;

/** A shell call whose exit code is not recorded, with a Markdown fence around its command. */
const fenced = (command: string, result: string) =>
  submits(`\`\`\`BASH\n${command}\n\`\`\``, result).replace(' exit 0', '');

/** The same without an exit code. */
const withoutExitCode = (command: string, result: string) => submits(command, result).replace(' exit 0', '');

const SIZES = 'du -hs /barn/* | sort -rh | head -2';
const page = (action: string, address: string) =>
  JSON.stringify(
    `Done: ${action}\nPage: ${address}\nTabs: [tab=0 'https://mill.example/blog', tab=1 'https://mill.example/prices']`,
  );

/** A page whose elements have the numbers 26, 27, … */
const elements = (action: string, names: readonly string[]) =>
  JSON.stringify(
    `Done: ${action}\nPage: https://mill.example/days\n${names.map((name, at) => `[${26 + at}]<button ${name}/>`).join('\n')}`,
  );

/** Calls that report a switch and leave the page as it was, up to the end of the run. */
const SWITCHES = `repeat 6
  llm m -> "Success: on the tab with the prices."
  tool switch_tab {"tab":1} -> ${page('switched to tab 1', 'https://mill.example/blog')}
llm m -> "The prices could not be found."`;

const OWN_PROGRAM = 'def grind(corn):\n    return corn * 2\nrun(grind)';
const FENCED = `\`\`\`python\n${OWN_PROGRAM}\n\`\`\``;
const OWN_CODE = `llm m -> ${JSON.stringify(FENCED)}`;
const OWN_RUN = `tool execute_code ${JSON.stringify({ code: OWN_PROGRAM })}`;

const rows: DetectorRow[] = [
  ...[
    'I found nothing.',
    'Unfortunately, I have found nothing.',
    'Sorry, there is nothing.',
    'Leider habe ich nichts gefunden.',
    'Lamentablemente no encontré nada.',
    "Malheureusement, je n'ai rien trouvé.",
    'Niestety nic nie znalazłem.',
    'К сожалению, я ничего не нашёл.',
    '残念ながら見つかりませんでした。',
    '很抱歉，没有找到。',
  ].map(
    (answer): DetectorRow => ({
      name: `exact_repetition: an honest last message changes no severity, in any language: ${answer}`,
      trace: `agent miller\nrepeat 6\n  llm m -> ""\n  tool q1 {"words":"rye"} -> []\nllm m -> ${JSON.stringify(answer)}`,
      fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
    }),
  ),
  {
    name: 'stalled: the text counts what the calls in between returned, and does not advise to answer with the last result',
    trace: [
      'agent miller',
      submits(`${SIZES} | cut -f2`, '/barn/east\n/barn/west'),
      submits(`${SIZES} | cut -f1,2`, '48K /barn/east\n24K /barn/west'),
      submits(`${SIZES} | cut -f2`, '/barn/east\n/barn/west'),
      submits(`${SIZES} | cut -f2`, '/barn/east\n/barn/west'),
      submits(`${SIZES} | cut -f1,2`, '48K /barn/east\n24K /barn/west'),
      submits(`${SIZES} | cut -f2`, '/barn/east\n/barn/west'),
    ].join('\n'),
    fires: [
      {
        subtype: 'stalled',
        text: `Of the 2 calls in between, 1 returned a result that had come before and 1 returned another result. All 6 commands of the run begin with "${SIZES} | cut".`,
        suggestion: `An equal call returns the same again: have miller end the run with the result of step 1 ("/barn/east /barn/west"), or change what all 6 commands of the run have in common ("${SIZES} | cut"), because "/barn/*" covers only what is directly in that folder. Have it compare the result with the task first.`,
      },
    ],
  },
  {
    name: 'exact_repetition: a run that ended on an empty result',
    trace: ['agent miller', ...Array.from({ length: 5 }, () => submits('find /barn -name "*.Corn"', ''))].join('\n'),
    fires: [
      {
        subtype: 'exact_repetition',
        suggestion:
          'have miller say that nothing was found, or change what all 5 commands of the run have in common ("find /barn -name "*.Corn"").',
      },
    ],
  },
  {
    name: 'exact_repetition: a failing call, and after it another one without an output until the end',
    trace: [
      'agent miller',
      ...Array.from({ length: 4 }, () => withoutExitCode('sort -x rye.txt', 'sort: invalid option -- x\n')),
      ...Array.from({ length: 3 }, () => withoutExitCode('echo $RYE', '\n')),
    ].join('\n'),
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'critical',
        text: 'The run then called bash echo $RYE 3 times in a row (steps 9 to 13), without an output, and ended there.',
        impact: 'The last call of the run has no output: there is no answer.',
      },
      { subtype: 'exact_repetition', text: 'and got the same empty result each time.' },
    ],
  },
  {
    name: 'exact_repetition: a failing call, and at the end a change that has no output',
    trace: [
      'agent miller',
      ...Array.from({ length: 4 }, () => withoutExitCode('sort -x rye.txt', 'sort: invalid option -- x\n')),
      withoutExitCode('mv rye.txt bin', '\n'),
    ].join('\n'),
    fires: [{ subtype: 'exact_repetition', severity: 'warning' }],
  },
  {
    name: 'exact_repetition: calls that leave the page of their result as it is',
    trace: `agent browser
llm m -> "Opening."
tool open {"to":"blog"} -> ${page('opened', 'https://mill.example/blog')}
${SWITCHES}`,
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'warning',
        impact:
          'The last message of the run admits that the task is not done. The loop took 6 of the 7 tool calls of the run.',
        text: 'switch_tab reports no failure, but its result shows the same page each time (https://mill.example/blog), although it lists tab 1 as https://mill.example/prices: the call does not change the page.',
        suggestion:
          'Treat switch_tab as failed if the page in its result is the same as before the call: after step 5, tell browser that the page is still https://mill.example/blog, and have it open https://mill.example/prices directly.',
      },
    ],
  },
  {
    name: 'stalled: a number that names another element after each call, so that two calls undo each other',
    trace: `agent browser
llm m -> "Opening."
tool open {"to":"days"} -> ${elements('opened', ['March', 'Next month'])}
llm m -> "Next month."
tool click {"index":27} -> ${elements('clicked', ['April', 'Previous month', 'Next month'])}
llm m -> "That is not July."
tool click {"index":27} -> ${elements('clicked', ['March', 'Next month'])}
${[1, 3, 1, 5, 3]
  .map(
    (count) => `llm m -> "More months."
repeat ${count}
  tool click {"index":27} -> "Done: clicked"
tool click {"index":27} -> ${elements('clicked', ['March', 'Next month'])}`,
  )
  .join('\n')}
llm m -> "The dates could not be set."`,
    fires: [
      {
        subtype: 'stalled',
        text: 'click reports no failure, and its result shows the same page each time (https://mill.example/days). Its index 27 names two elements: "[27]<button Next month/>" before step 3 and "[27]<button Previous month/>" before step 5.',
        suggestion:
          'Let click return which element it used, or take the name of the element in place of index 27: have browser look up the number in the newest page before each call.',
      },
    ],
  },
  {
    name: 'stalled: calls that other calls change back',
    trace: `agent browser
llm m -> "Opening."
tool open {"to":"days"} -> ${elements('opened', ['Geneva'])}
repeat 5
  llm m -> "Adding the city."
  tool click {"index":21} -> ${elements('clicked', ['Geneva', 'Chicago'])}
  llm m -> "It is not alone."
  tool click {"index":{n}} -> ${elements('clicked', ['Geneva'])}
llm m -> "The city could not be set."`,
    fires: [
      {
        subtype: 'stalled',
        text: 'Before step 7 the page was different: this call changes it, and calls in between change it back.',
        suggestion: 'After step 7, tell browser that click returned the same page as at step 3, and have it open',
      },
    ],
  },
  {
    name: 'exact_repetition: a last message that speaks of an earlier failure and claims success admits nothing',
    trace: [
      'agent miller',
      ...Array.from({ length: 6 }, () => [OWN_CODE, `${OWN_RUN} -> "Some tests failed"`]).flat(),
      `llm m -> ${JSON.stringify(`The function was still incomplete.\n${FENCED}\nThe message "Some tests failed" should not be present. We can now conclude that the function is implemented correctly.`)}`,
    ].join('\n'),
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'critical',
        text: 'That message says "We can now conclude that the function is implemented correctly."',
        impact:
          'The run ended without a working result: the task is not done. The loop took all 6 tool calls of the run.',
      },
    ],
  },
  {
    name: 'exact_repetition: a loop that is less than half of the calls is not the reason for a failed task',
    trace: `agent browser
repeat 8
  llm m -> "Opening {n}."
  tool open {"to":"blog {n}"} -> ${page('opened {n}', 'https://mill.example/blog')}
${SWITCHES}`,
    fires: [
      {
        subtype: 'exact_repetition',
        severity: 'warning',
        impact: 'The last message of the run admits that something is wrong.',
      },
    ],
  },
  {
    name: 'cyclic: no call of the run worked',
    trace: `agent clerk
repeat 5
  llm m -> "I look into the folder."
  tool bash "find /barn/rye" -> "find: '/barn/rye': No such file or directory"
  llm m -> "I look into the folder once more."
  tool bash "find /barn/rye/" -> "find: '/barn/rye/': No such file or directory"
llm m -> "I hand it in."
tool bash "submit" -> "0"`,
    fires: [
      {
        subtype: 'cyclic',
        text: 'The run then ended with bash at step 21 ("submit").',
        impact: 'No call of the run worked. The loop took 10 of the 11 tool calls of the run.',
      },
    ],
  },
  {
    name: 'exact_repetition: an address that only one tool reports may belong to what it found',
    trace: `agent browser
repeat 6
  llm m -> "Searching."
  tool search {"words":"flour prices"} -> "Found one page.\\nPage: https://mill.example/blog"
llm m -> "The prices could not be found."`,
    fires: [
      { subtype: 'exact_repetition', suggestion: 'Instead of running search {"words":"flour prices"} a third time' },
    ],
  },
  {
    name: 'stalled: equal calls with another result are counted, too',
    trace: `agent browser
llm m -> "Opening."
tool open {"to":"days"} -> ${page('opened', 'https://mill.example/days')}
${[1, 2, 3, 1]
  .map((short, round) =>
    [
      'llm m -> "To July."',
      ...Array.from({ length: short }, () => `tool click {"index":27} of m${round} -> "Clicked 27."`),
      `tool click {"index":27} of m${round} -> ${page('clicked 27', 'https://mill.example/days')}`,
    ].join('\n'),
  )
  .join('\n')}
llm m -> "Now the hotels."
tool open {"to":"hotels"} -> ${page('opened', 'https://mill.example/hotels')}`,
    fires: [
      {
        subtype: 'stalled',
        text: 'In all, the run has 11 calls of click with these arguments (steps 3 to 16).',
        suggestion:
          'have it open the address that it needs directly, use another element, or set the value in another way',
      },
    ],
  },
  {
    name: 'cyclic: both commands write to a file that no call reads',
    trace: [
      'agent miller',
      ...Array.from({ length: 5 }, () => [
        submits('sort east.txt > all.txt', ''),
        submits('sort -u west.txt > all.txt', ''),
      ]).flat(),
    ].join('\n'),
    fires: [
      {
        subtype: 'cyclic',
        text: 'The command of step 3 sends its output to all.txt, so bash returns nothing. No call of the run reads all.txt. Each call of the run submits an answer',
        suggestion: 'Have miller print all.txt after it is written. Every round',
      },
    ],
  },
  {
    name: 'exact_repetition: the cause is in the text, with the other calls that it applies to',
    trace: [
      'agent miller',
      submits('grep -c "rye $day" days.txt', '$day days.txt: -c: line 1: unexpected EOF while looking for matching'),
      ...Array.from({ length: 4 }, () =>
        submits('grep -n "rye $day" all.txt', '$day all.txt: -c: line 1: unexpected EOF while looking for matching'),
      ),
    ].join('\n'),
    fires: [
      {
        subtype: 'exact_repetition',
        // The first call with this cause.
        step: 1,
        text: 'a part of the command of step 3, as its own name, so a " in the command ended it early. The same applies to step 1.',
        suggestion:
          'Let bash pass the command to the shell as one argument, without quoting it again. Until then, have miller write it without ".',
      },
    ],
  },
  {
    name: 'stalled: other elements of a page that does not change',
    trace: `agent browser
llm m -> "Opening."
tool open {"to":"days"} -> ${page('opened', 'https://mill.example/days')}
repeat 5
  llm m -> "Next month."
  tool click {"index":{n}} -> ${page('clicked', 'https://mill.example/days')}
llm m -> "Now the hotels."
tool open {"to":"hotels"} -> ${page('opened', 'https://mill.example/hotels')}`,
    fires: [
      {
        subtype: 'stalled',
        text: 'click reports no failure, but its result shows the same page each time (https://mill.example/days): the call does not change the page.',
        suggestion: 'Treat click as failed',
      },
    ],
  },
  {
    name: 'stalled: versions of code whose result says only that the tests failed, after a heading',
    trace: [
      'agent solver\nuser "Write area(n)."',
      ...['n', 'n * n', 'n ** 3', '4', '2 * n'].map(
        (body) =>
          `llm m -> "Next."\ntool run_code ${JSON.stringify({ code: `def area(n):\n    return ${body}\nverify(area)` })} -> "Running the checks of the function area for you [1] ...\\n(SOME TESTS FAILED - TRY AGAIN), so please have another look at it."`,
      ),
      'llm m -> "I go on."\ntool note {"text":"later"} -> "noted"',
    ].join('\n'),
    fires: [
      {
        subtype: 'stalled',
        text: 'with another version of the code of `area` each time, and got the same result each time',
        suggestion:
          'Let run_code return the case that failed, with its expected and actual value: 5 versions of the code had the same result.',
      },
    ],
  },
  {
    name: 'exact_repetition: the result offers the name that it did not find',
    trace: `agent reader
repeat 5
  llm m -> "Once more."
  tool search "Mill of Rye" -> "Could not find ['Mill of Rye']. Similar: ['Mill of Rye', 'Rye']"`,
    fires: [
      {
        subtype: 'exact_repetition',
        text: 'The result of step 1 says that "Mill of Rye" was not found, and offers the same name.',
        suggestion:
          'Check how search looks up a name. Until then, have reader pass one of the other names in that result ("Rye").',
      },
    ],
  },
  {
    name: 'retry_storm: one call differs in white space',
    trace: [
      'agent miller',
      ...['day = 1', 'day = 1', 'day = 1', 'day  =  1'].map(
        (code) => `llm m -> ${JSON.stringify(code)}\ntool python ${JSON.stringify(code)} !! NameError: no rye`,
      ),
    ].join('\n'),
    fires: [
      {
        subtype: 'retry_storm',
        text: '4 times in a row with the same arguments (step 7 with other white space), and it failed',
      },
    ],
  },
  {
    name: 'cyclic: a run that ended on the error of its last call',
    trace: [
      'agent miller',
      submits("sort rye.txt | md5sum | tr -d ' '", 'a4a0f61a'),
      ...Array.from({ length: 3 }, () => [
        submits("sort rye.txt | md5sum | tr -d ' -n'", "tr: range-endpoints of ' -n' are in reverse order"),
        submits("sort rye.txt | md5sum | tr -d '-'", 'a4a0f61a'),
      ]).flat(),
      submits("sort rye.txt | md5sum | tr -d ' -n'", "tr: range-endpoints of ' -n' are in reverse order"),
    ]
      .join('\n')
      .replaceAll(' exit 0 ->', ' ->'),
    fires: [
      {
        subtype: 'cyclic',
        severity: 'critical',
        text: `Each call of the run submits an answer, and the run ended on the error of the last one ("tr: range-endpoints of ' -n' are in reverse order").`,
        suggestion: `Have miller return to the call of step 1, which worked, and make a different change: since then "sort rye.txt | md5sum | tr -d ' '" became "sort rye.txt | md5sum | tr -d ' -n'", and step 3 returned "tr: range-endpoints of ' -n' are in reverse order".`,
      },
    ],
  },
  {
    name: 'cyclic: a run that ended on a result of the cycle',
    trace: [
      'agent miller',
      ...Array.from({ length: 4 }, () => [
        submits('sort rye.txt | head -n 1', 'barley of the east'),
        submits('sort rye.txt | tail -n 1', 'wheat of the west'),
      ]).flat(),
      submits('sort rye.txt | head -n 1', 'barley of the east'),
    ].join('\n'),
    fires: [
      {
        subtype: 'cyclic',
        suggestion: 'have miller end the run with the result of step 17 ("barley of the east"), or change',
      },
    ],
  },
  {
    name: 'cyclic: the value is the same in other results',
    trace: [
      'agent miller',
      submits('md5sum rye.txt', 'a4a0f61ab4c0a8db  -'),
      ...Array.from({ length: 4 }, () => [
        submits("md5sum rye.txt | tr -d ' -'", 'a4a0f61ab4c0a8db'),
        submits("md5sum rye.txt | tr -d ' -c'", 'a4a0f61ab4a8db'),
      ]).flat(),
    ].join('\n'),
    fires: [
      {
        subtype: 'cyclic',
        text: 'Other commands returned the same value as step 3 ("a4a0f61ab4c0a8db") at step 1.',
        suggestion:
          'Have miller end the run with "a4a0f61ab4c0a8db", which steps 1 and 3 return, or change how it is calculated.',
      },
    ],
  },
  {
    name: 'cyclic: the path of the cycle failed before it',
    trace: [
      'agent miller',
      submits('wc -l /barn/rye.txt', 'wc: /barn/rye.txt: No such file or directory'),
      submits('ls /', 'mill'),
      ...Array.from({ length: 4 }, () => [
        submits('md5sum /barn/rye.txt', 'md5sum: /barn/rye.txt: No such file or directory'),
        submits('sha1sum /barn/rye.txt', 'sha1sum: /barn/rye.txt: No such file or directory'),
      ]).flat(),
    ].join('\n'),
    fires: [{ subtype: 'cyclic', step: 1, text: 'Step 1 also fails because /barn/rye.txt does not exist.' }],
  },
  {
    name: 'unmoved_check: the step is the first call with the cause of the attempts',
    trace: [
      'agent miller',
      fenced('ls /barn', 'bash: line 3: BASH: command not found\nbash: line 3: rye.txt: command not found'),
      ...['sort rye.txt', 'sort rye.txt | uniq', 'sort rye.txt | uniq -c'].map((command) =>
        fenced(command, 'bash: line 3: BASH: command not found'),
      ),
    ].join('\n'),
    fires: [{ subtype: 'unmoved_check', step: 1, text: 'The same applies to step 1.' }],
  },
  {
    name: 'exact_repetition: a fallback text that hides the error, printed by other commands before',
    trace: [
      'agent miller',
      submits('ls /barn', 'rye.txt'),
      submits('ln -s / /barn/root 2>/dev/null || echo "Not allowed"', 'Not'),
      ...Array.from({ length: 4 }, () => submits('sudo ln -s / /barn/root 2>/dev/null || echo "Not allowed"', 'Not')),
    ].join('\n'),
    fires: [
      {
        subtype: 'exact_repetition',
        step: 3,
        text: 'The command of step 5 prints "Not allowed" on failure, and `2>/dev/null` in it hides the error.',
        suggestion:
          'Have miller run the command of step 5 without `2>/dev/null` and its own fallback, so that the result shows the error.',
      },
    ],
  },
  {
    name: 'exact_repetition: an empty result of a command that hides its error',
    trace: [
      'agent miller',
      submits('ls /barn', 'rye.txt'),
      ...Array.from({ length: 4 }, () => submits('cp /barn/oats.txt /barn/new 2>&- || true', '')),
      'llm m -> "I look."',
      'tool bash "ls /barn" -> "rye.txt"',
    ].join('\n'),
    fires: [
      {
        subtype: 'exact_repetition',
        step: 5,
        suggestion: 'Have miller run the command of step 3 without `2>&-` and `|| true`, which hide an error: bash',
      },
    ],
  },
  {
    name: 'stalled: the run ended at a limit, and never called the command that its instructions name',
    trace: `system "COMMANDS:\\nopen:\\n  signature: open <path>\\nsubmit:\\n  docstring: ends the task\\n  signature: submit"
agent miller
llm m -> "I look."
tool bash "ls /barn" -> "rye.txt"
repeat 5
  llm m -> "All is done, goodbye."
  tool bash {"command":"echo \\"Goodbye\\""} -> "Goodbye"
  llm m -> "Nothing is left to do."
  tool bash {"command":"echo \\"Closed {n}\\""} -> "Closed {n}"
llm m -> "Exit due to cost limit"
tool bash "exit_cost" -> "Exited"`,
    fires: [
      {
        subtype: 'stalled',
        step: 4,
        text: 'The run ended at its cost limit (step 23: "Exit due to cost limit"), and submit was never called.',
        impact: 'The run ended at a limit before the work was submitted: the task is not done.',
        suggestion:
          'Tell miller to end the task with submit: the command of step 4 only prints "Goodbye", which is part of the command.',
      },
    ],
  },
  {
    name: 'stalled: several calls in one argument, until the run ends without an answer',
    trace: `agent reader
user "Who baked the bread?"
repeat 3
  llm m -> "Action: search[Bakers of Rye]"
  tool search "Bakers of Rye" -> "The bakers of Rye were three brothers of the town, each with a shop of his own."
  llm m -> "Action: search[Adam], search[Bertram {n}]"
  tool search "Adam], search[Bertram {n}" -> "That page was not found, please try again."`,
    fires: [
      {
        subtype: 'stalled',
        step: 4,
        text: 'The argument at step 4 contains 2 calls (Adam], search[Bertram 1). The same applies to steps 8 and 12. Step 4 returned "That page was not found, please try again.". The run ended with search at step 12 ("That page was not found, please try again."), without an answer.',
        impact: 'The run ended without an answer.',
        suggestion: 'Have reader call search once for each value, or split them before the call. The repeated search',
      },
    ],
  },
  {
    name: 'exact_repetition: two repetitions with one cause have the same decisive step and are both reported',
    trace: [
      'agent miller',
      ...['', 'sudo '].flatMap((prefix) =>
        Array.from({ length: 4 }, () =>
          submits(`${prefix}ln -s / /barn/root 2>/dev/null || echo "Not allowed"`, 'Not'),
        ),
      ),
    ].join('\n'),
    fires: [
      { subtype: 'exact_repetition', step: 1, text: 'The command of step 1 prints "Not allowed" on failure' },
      {
        subtype: 'exact_repetition',
        step: 1,
        text: 'The command of step 9 prints "Not allowed" on failure',
        impact: 'The run ended on a result that the repeated calls did not change.',
      },
    ],
  },
];

testDetector(loop, rows);
