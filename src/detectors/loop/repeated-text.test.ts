import { expect, it } from 'vitest';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';
import { repeatedPassage } from './repeated-text.ts';

const PASSAGE = 'Wait, the mill needs a new belt. I will order it and then check the stones again. ';
const says = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const run = (...lines: string[]) =>
  ['user "Check the mill."', 'agent miller', 'tool look {"at":"mill"} -> "belt worn"', ...lines].join('\n');
const monologue = `I looked at the mill. ${PASSAGE.repeat(12)}Wait, the mill`;

const rows: DetectorRow[] = [
  {
    name: 'repeated_text: the run ended on an output that repeats itself',
    trace: run(says(monologue)),
    fires: [
      {
        subtype: 'repeated_text',
        step: 2,
        agent: 'miller',
        severity: 'critical',
        text: 'repeats 12 times without anything in between: "I will order it and then check the stones again. Wait, the mill needs a new belt.". Nothing follows it in the run',
        suggestion: 'end the model call at the second repetition of a passage',
        fix: 'Limit what miller can repeat in one output',
      },
    ],
  },
  {
    name: 'repeated_text: a warning if the run continued',
    trace: run(says(monologue), says('The belt is worn. I ordered a new one.')),
    fires: [{ subtype: 'repeated_text', step: 2, severity: 'warning' }],
  },
  { name: 'silent: repeated a few times', trace: run(says(PASSAGE.repeat(4))), silent: true },
  {
    name: 'silent: a result of a tool repeats a line',
    trace: run(`tool read {"path":"log"} -> ${JSON.stringify(PASSAGE.repeat(20))}`, says('The log repeats one line.')),
    silent: true,
  },
];

testDetector(loop, rows);

it.each([
  ['another script', '等一下，磨坊需要一条新的皮带，我会订购它，然后再次检查石头。'.repeat(24)],
  ['lines', 'Row of the mill is checked once more\n'.repeat(30)],
  [
    'a passage of several lines',
    `Start.\n${'First I check the belt.\nThen I check the stones.\n\n'.repeat(14)}First I`,
  ],
])('reads a repeated passage: %s', (_, text) => {
  expect(repeatedPassage(text)).toMatchObject({ times: expect.any(Number) });
});

it.each([
  ['a line of marks', '-'.repeat(2_000)],
  ['a list of values', '0.25, 0.50, 0.75, 1.00, '.repeat(60)],
  ['rows of a table', '| --- | --- | --- | --- | --- |\n'.repeat(40)],
  ['code', `\`\`\`\n${'the mill is open and the stones turn\n'.repeat(40)}`],
  ['JSON', `[${'{"mill":"open and the stones turn"},'.repeat(40)}]`],
  ['numbered lines', Array.from({ length: 60 }, (_, at) => `${at}. The mill is open and the stones turn.`).join('\n')],
  ['a text that ends in something else', `${PASSAGE.repeat(20)}The answer is 4, and it is the last line of this text.`],
])('reads no repeated passage in %s', (_, text) => {
  expect(repeatedPassage(text)).toBeNull();
});
