import { type DetectorRow, testDetector } from '../_kit/tester.ts';
import { contextNeglect } from './detector.ts';

const OPENING =
  'To repair the export we first look through the report module, then change how rows are grouped, and last run the ' +
  'tests of the module. Navigator, please find the file in which rows are grouped and show me the whole function with its imports.';

function team(second: string): string {
  return `
task "Fix the export"
agent planner
llm gpt-4o -> ${JSON.stringify(OPENING)}
agent navigator
repeat 3
  llm gpt-4o -> "I opened part {n} of the report module and found a function that groups rows by their key."
agent editor
llm gpt-4o -> "I changed the grouping so that rows without a key come last, as in the ticket, and saved the file."
agent planner
llm gpt-4o -> ${JSON.stringify(second)}`;
}

/** Eight turns, with the same line of the log before them and after the given number of them. */
function setUpTwice(turnsBefore: number, what: string): string {
  const turn = (n: number) => `llm gpt-4o -> "I looked into part ${n} of the report module and noted what it does."`;
  const turns = Array.from({ length: 8 }, (_, n) => turn(n));
  const line = `system "Worker 3 was ${what} for ticket 12"`;
  return ['agent navigator', line, ...turns.slice(0, turnsBefore), line, ...turns.slice(turnsBefore)].join('\n');
}

const rows: DetectorRow[] = [
  {
    name: 'restart: the planner opens the run again',
    trace: team(OPENING.replace('we first look', 'we should look')),
    fires: [{ subtype: 'restart', step: 5, agent: 'planner', says: 'planner' }],
  },
  {
    name: 'asked_again: an e-mail address that was given',
    trace: `
agent clerk
user "I want to return a kettle. My mail is ida@example.org."
llm gpt-4o -> "Sure! Could you please provide your email address?"`,
    fires: [{ subtype: 'asked_again', step: 1, agent: 'clerk', severity: 'warning', says: 'e-mail address' }],
  },
  {
    name: 'repeated_question: although it was answered',
    trace: `
agent clerk
user "I want to change a booking."
llm gpt-4o -> "On which day of the week does the party want to travel north?"
user "On Thursday, all four of us."
llm gpt-4o -> "On which day of the week does the party want to travel north?"`,
    fires: [{ subtype: 'repeated_question', step: 3 }],
  },
  {
    name: 'restart: the line that set the run up comes again in the midst of the work',
    trace: setUpTwice(4, 'set up'),
    fires: [{ subtype: 'restart', step: 5, agent: 'navigator', severity: 'warning', says: '4 turns' }],
    isPrefixInvariant: false,
  },
  { name: 'silent: set up twice before the work', trace: setUpTwice(1, 'set up'), silent: true },
  { name: 'silent: set up again when all is said', trace: setUpTwice(7, 'set up'), silent: true },
  { name: 'silent: another log line comes again', trace: setUpTwice(4, 'read the index of'), silent: true },
  {
    name: 'silent: the planner goes on',
    trace: team(
      'The grouping is changed as planned. Executor, please run the tests of the report module and send me whatever fails, with the trace.',
    ),
    silent: true,
  },
  {
    name: 'silent: a single agent comes back to its notes',
    trace: `agent solo\nllm gpt-4o -> ${JSON.stringify(OPENING)}\nrepeat 6\n  tool step_{n} {} -> "result {n}"\nllm gpt-4o -> ${JSON.stringify(OPENING)}`,
    silent: true,
  },
  {
    name: 'silent: asking for another address',
    trace: `
agent clerk
user "My mail is ida@example.org."
llm gpt-4o -> "I could not find an account with that. Could you provide another email address?"`,
    silent: true,
  },
  {
    name: 'silent: reading the value back',
    trace: `
agent clerk
user "My mail is ida@example.org."
llm gpt-4o -> "May I have a yes that your email address is ida@example.org?"`,
    silent: true,
  },
  {
    name: 'silent: what a service asks after each task',
    trace: `
agent clerk
user "Cancel it."
llm gpt-4o -> "Done. Is there anything else that I can help you with today?"
user "Yes, cancel the other one as well."
llm gpt-4o -> "Done. Is there anything else that I can help you with today?"`,
    silent: true,
  },
  { name: 'not applicable without text', trace: '', notApplicable: true },
];

testDetector(contextNeglect, rows, { readme: new URL('./README.md', import.meta.url) });
