import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';
import { rejectedAnswer } from './rejected-answer.ts';

const says = (text: string) => `llm m -> ${JSON.stringify(text)}`;
const code = (body: string) => says(`Here it is:\n\`\`\`python\n${body}\n\`\`\``);
const chat = (first: string, reply: string, last: string) =>
  `user "Add two numbers."\nagent coder\n${first}\nuser ${JSON.stringify(reply)}\n${last}`;

const DRAFT = 'Brio is the kettle that boils water in ninety seconds.';
const reviewed = (verdict: string, last: string) =>
  `user "Write a text for the kettle Brio."\nagent writer\n${says(DRAFT)}\nagent checker\n${says(verdict)}\nagent writer\n${says(last)}`;

const rows: DetectorRow[] = [
  {
    name: 'rejected_answer_repeated: the code that the user rejected comes again',
    trace: chat(
      code('def add(a, b): return a - b'),
      'That is wrong: 2 and 3 give -1.',
      code('def add(a, b): return a - b'),
    ),
    fires: [
      {
        subtype: 'rejected_answer_repeated',
        step: 3,
        agent: 'coder',
        severity: 'warning',
        text: 'coder gave "def add(a, b): return a - b" at step 1, and the user rejected it at step 2: "That is wrong: 2 and 3 give -1.". The run ended at step 3 with the same answer, without a change.',
        fix: 'Do not accept a rejected answer again',
      },
    ],
  },
  {
    name: 'rejected_answer_repeated: a program rejects a value, and a call comes in between',
    trace: `user "What is the area?"
agent solver
${says('The area is <solution> 3 if x < 2 </solution>.')}
user "Your answer is wrong. You have 1 chance left."
${says('I compute it again.')}
tool python {"code":"1 + 1 + 1"} -> "3"
${says('Therefore the area is <solution>3 if x < 2</solution>.')}`,
    fires: [{ subtype: 'rejected_answer_repeated', step: 5 }],
  },
  ...[
    'REJECT. Too general: name the capacity.',
    'Rejected: name the capacity.',
    'This answer is wrong.',
    'Incorrect. Name the capacity.',
    'FAIL: name the capacity',
    '{"approved": false, "reason": "name the capacity"}',
    '{"verdict": "reject"}',
  ].map(
    (verdict): DetectorRow => ({
      name: `rejected_answer_repeated: another agent rejects a message that comes again: ${verdict}`,
      trace: reviewed(verdict, DRAFT),
      fires: [
        { subtype: 'rejected_answer_repeated', step: 3, agent: 'writer', text: 'and checker rejected it at step 2' },
      ],
    }),
  ),
  {
    name: 'rejected_answer_repeated: another agent passes the rejected message on',
    trace: `${reviewed('REJECT. Name the capacity.', DRAFT)}\nagent publisher\n${says(DRAFT)}`,
    fires: [{ subtype: 'rejected_answer_repeated', step: 4 }],
  },
  {
    name: 'silent: the checker accepts the same message in the end',
    trace: `${reviewed('REJECT. Name the capacity.', DRAFT)}\nagent checker\n${says('I was wrong, the capacity is named.')}\nagent publisher\n${says(DRAFT)}`,
    silent: true,
  },
  {
    name: 'silent: the writer changes the message',
    trace: reviewed('REJECT. Name the capacity.', 'Brio boils 0.5 l of water in ninety seconds.'),
    silent: true,
  },
  {
    name: 'silent: the checker only asks',
    trace: reviewed('Is the capacity wrong?', DRAFT),
    silent: true,
  },
  {
    name: 'silent: the answer changed',
    trace: chat(code('def add(a, b): return a - b'), 'That is wrong.', code('def add(a, b): return a + b')),
    silent: true,
  },
  {
    name: 'silent: the user accepted the answer',
    trace: chat(
      code('def add(a, b): return a + b'),
      'Thanks. Please show it once more.',
      code('def add(a, b): return a + b'),
    ),
    silent: true,
  },
  {
    name: 'silent: the user asks whether it is wrong',
    trace: chat(code('def add(a, b): return a + b'), 'Is that wrong for floats?', code('def add(a, b): return a + b')),
    silent: true,
  },
  {
    name: 'silent: the user has the last word',
    trace: `${chat(code('a - b'), 'That is wrong.', code('a - b'))}\nuser "I will do it myself."`,
    silent: true,
  },
];

testDetector(completion, rows);

it.each([
  'Falsch, 2 und 3 gibt 5.',
  'Es incorrecto.',
  'C’est faux.',
  '不对，结果是5。',
  'The result is not correct.',
  'Incorrect.',
])('reads a rejection: %s', (reply) => {
  const trace = parseTrace(chat(says('\\boxed{4}'), reply, says('As I said: \\boxed{4}')));
  expect(rejectedAnswer(trace)).toMatchObject({ subtype: 'rejected_answer_repeated' });
});
