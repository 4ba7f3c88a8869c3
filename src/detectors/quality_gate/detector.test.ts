import { type DetectorRow, testDetector } from '../_kit/tester.ts';
import { qualityGate } from './detector.ts';

const EDIT = 'tool edit_file {"path":"src/cart.py","new":"return total"} -> "ok"';
const DONE = 'llm gpt-4o 90/9 -> "The total is now computed from the list of items."';

function backwards(answer: string): string {
  return `
task "Ann gave away half of her pears and ate one. She has 5 left. How many pears did she originally have?"
user "Ann gave away half of her pears and ate one. She has 5 left. How many pears did she originally have?"
agent solver
llm gpt-4o -> "I go back from the end: 5 and 1 make 6."
llm gpt-4o -> ${JSON.stringify(answer)}`;
}

/** The same question to each, who answer one after another. */
function debate(answers: readonly string[], end: string): string {
  const turns = answers.map((answer, at) => {
    const said = JSON.stringify(`It comes to \\boxed{${answer}}.`);
    return `user "How many pears fit into eight boxes of five each?"\nagent ${'abc'[at]}\nllm gpt-4o -> ${said}`;
  });
  return [...turns, end].join('\n');
}

const ISSUE = 'task "The fare of a return trip is charged once. Expected: 2 x 30, shown: 30."';
const OPENED = 'tool open {"path":"ferry/fares/price.py"} -> "1: def price(trip):\\n2:   return trip.fare"';

/** A run that looks at the code and ends by handing in what the workspace then holds. */
function handsIn(diff: readonly string[], before = ''): string {
  return `${ISSUE}\nagent dev\n${OPENED}\n${before}\ntool submit -> ${JSON.stringify(diff.join('\n'))}`;
}

const newFile = (path: string) => [
  `diff --git a/${path} b/${path}`,
  'new file mode 100644',
  '--- /dev/null',
  `+++ b/${path}`,
  '@@ -0,0 +1 @@',
  '+print(price(trip))',
];
const changed = (path: string, removed: string, added: string) => [
  `diff --git a/${path} b/${path}`,
  `--- a/${path}`,
  `+++ b/${path}`,
  '@@ -1,2 +1,2 @@',
  ' def price(trip):',
  `-${removed}`,
  `+${added}`,
];

const rows: DetectorRow[] = [
  {
    name: 'only_new_files: the trial script is all that is handed in',
    trace: handsIn(newFile('reproduce_fare.py')),
    fires: [{ subtype: 'only_new_files', step: 1, agent: 'dev', severity: 'warning', says: 'reproduce_fare.py' }],
  },
  {
    name: 'silent: a trial script next to a changed file',
    trace: handsIn([...newFile('try_fare.py'), ...changed('ferry/fares/price.py', '  return trip.fare', '  return 2')]),
    silent: true,
  },
  {
    name: 'silent: the task names the new file',
    trace: `task "Add a script month_report.py that prints the fares."\nagent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('month_report.py').join('\n'))}`,
    silent: true,
  },
  {
    name: 'silent: the task names what the new file is for',
    trace: `task "Write a report of each month to the screen."\nagent dev\n${OPENED}\ntool submit -> ${JSON.stringify(newFile('month_report.py').join('\n'))}`,
    silent: true,
  },
  {
    name: 'silent: a new module in a folder of the project',
    trace: handsIn(newFile('ferry/fares/bonus.py')),
    silent: true,
  },
  {
    name: 'nothing_changed: handed in without a diff and without an edit',
    trace: handsIn([]),
    fires: [{ subtype: 'nothing_changed', step: 1, severity: 'warning', says: 'without any change' }],
  },
  {
    name: 'silent: a hand-in that returns nothing, after an edit',
    trace: handsIn(
      [],
      'tool edit {"path":"ferry/fares/price.py","text":"x"} -> "edited"\ntool bash {"command":"pytest"} -> "3 passed"',
    ),
    silent: true,
  },
  {
    name: 'silent: the hand-in is an answer',
    trace: `${ISSUE}\nagent dev\n${OPENED}\ntool submit {"answer":"The return trip is missing in price()."} -> ""`,
    silent: true,
  },
  {
    name: 'nothing_changed: only a comment is different',
    trace: handsIn(changed('ferry/fares/price.py', '  # the fare', '  # the fare of a return trip')),
    fires: [{ subtype: 'nothing_changed', step: 1, severity: 'warning', says: 'comments' }],
  },
  {
    name: 'silent: a statement is different',
    trace: handsIn(changed('ferry/fares/price.py', '  return trip.fare', '  return trip.fare * 2  # both ways')),
    silent: true,
  },
  {
    name: 'silent: a document is changed',
    trace: handsIn(changed('docs/fares.md', '# Fares', '# Fares and discounts')),
    silent: true,
  },
  {
    name: 'nothing_run: changed and handed in',
    trace: `agent dev\n${EDIT}\n${DONE}`,
    fires: [{ subtype: 'nothing_run', step: 0, agent: 'dev', severity: 'warning', says: 'no test' }],
  },
  {
    name: 'unverified_change: a change after the last script',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${EDIT}\n${DONE}`,
    fires: [{ subtype: 'unverified_change', step: 2, severity: 'info' }],
  },
  {
    name: 'suite_never_run: scripts only',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"python try_cart.py"} -> "3"\n${DONE}`,
    fires: [{ subtype: 'suite_never_run', step: 0, severity: 'info' }],
  },
  {
    name: 'failing_tests_left: every run after the change failed',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed, 7 passed in 1.1s"\n${DONE}`,
    fires: [{ subtype: 'failing_tests_left', step: 1, severity: 'warning' }],
  },
  {
    name: 'failing_tests_left: a session that says it is complete, without its answer',
    trace: `session {"endedBy":"completed"}\nagent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed"`,
    fires: [{ subtype: 'failing_tests_left', step: 1, severity: 'warning' }],
  },
  {
    name: 'silent: a session without answer whose end is not known',
    trace: `session {"endedBy":"unknown"}\nagent dev\n${EDIT}\ntool bash {"command":"pytest tests"} -> "2 failed"`,
    silent: true,
  },
  {
    name: 'answer_never_computed: the box holds another number than the program printed',
    trace: `
message proxy "How many apples are left?"
agent solver
llm gpt-4o -> "I compute it.\\n\`\`\`python\\nprint(12 * 4)\\n\`\`\`"
message proxy "48"
llm gpt-4o -> "So the answer is \\\\boxed{52}."`,
    fires: [{ subtype: 'answer_never_computed', step: 3, agent: 'solver', severity: 'warning', says: '52' }],
  },
  {
    name: 'no_tester_turn: the editor had the last word',
    trace: `
agent Planner
llm gpt-4o -> "Editor, please correct the parser."
agent Editor
llm gpt-4o -> "I changed the parser."
agent Planner
llm gpt-4o -> "Solved."`,
    fires: [{ subtype: 'no_tester_turn', step: 1, agent: 'Editor', severity: 'warning' }],
  },
  {
    name: 'answer_not_put_back: worked backwards and not tried forwards',
    trace: backwards('Before that there were 6, and twice that is 12. \\boxed{12}'),
    fires: [{ subtype: 'answer_not_put_back', step: 2, agent: 'solver', severity: 'info', says: '12' }],
  },
  {
    name: 'answers_disagree: three were asked, two answers',
    trace: debate(['40', '40', '42'], ''),
    fires: [{ subtype: 'answers_disagree', agent: 'c', severity: 'warning', says: 'a 40' }],
  },
  { name: 'silent: all agree', trace: debate(['40', '40', '40.0'], ''), silent: true },
  {
    name: 'silent: somebody decides',
    trace: debate(['40', '42'], 'agent judge\nllm gpt-4o -> "b is right: \\\\boxed{42}"'),
    silent: true,
  },
  {
    name: 'silent: other questions have other answers',
    trace: `
user "How many boxes of forty pears go on the first of the two carts?"
agent a
llm gpt-4o -> "\\\\boxed{40}"
user "And how many boxes of twenty plums go on the second of the two carts?"
agent b
llm gpt-4o -> "\\\\boxed{20}"`,
    silent: true,
  },
  {
    name: 'silent: tried forwards',
    trace: backwards('It was 12. Check: 12, half is 6, less 1 is 5. \\boxed{12}'),
    silent: true,
  },
  {
    name: 'silent: it ends waiting for the test it asked for',
    trace: `
agent Planner
llm gpt-4o -> "Editor, please correct the parser."
agent Editor
llm gpt-4o -> "I changed the parser."
agent Planner
llm gpt-4o -> "Executor: please run the following tests and send me the output."`,
    silent: true,
  },
  {
    name: 'silent: tested after the last change',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"npm test"} -> "12 passed"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a failing run, a repair, a passing run',
    trace: `agent dev\n${EDIT}\ntool bash {"command":"go test ./..."} -> "--- FAIL"\n${EDIT}\ntool bash {"command":"go test ./..."} -> "ok"\n${DONE}`,
    silent: true,
  },
  {
    name: 'silent: a document is no code',
    trace: `agent dev\ntool write_file {"path":"notes/plan.md","content":"x"} -> "ok"\n${DONE}`,
    silent: true,
  },
  { name: 'not applicable: still running', trace: `running\nagent dev\n${EDIT}\n${DONE}`, notApplicable: true },
  {
    name: 'silent: the number was printed, with a thousands separator',
    trace: `
message proxy "How many?"
agent solver
llm gpt-4o -> "\`\`\`python\\nprint(1200)\\n\`\`\`"
message proxy "1200"
llm gpt-4o -> "The result is \\\\boxed{1,200}"`,
    silent: true,
  },
  {
    name: 'silent: a reviewer came last',
    trace: 'agent Coder\nllm gpt-4o -> "Changed."\nagent Reviewer\nllm gpt-4o -> "I ran it, it passes."',
    silent: true,
  },
];

testDetector(qualityGate, rows, { readme: new URL('./README.md', import.meta.url) });
