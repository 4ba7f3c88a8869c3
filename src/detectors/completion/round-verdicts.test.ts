import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const says = (agent: string, text: string) => `agent ${agent}\nllm gpt-4o -> ${JSON.stringify(text)}`;
const ledger = (isDone: boolean, reason: string) =>
  says('lead', `Ledger:\n${JSON.stringify({ is_request_satisfied: { reason, answer: isDone }, next: 'diver' })}`);
const dive = (round: number) => says('diver', `At ${round * 10} m there is only sand.`);
/** Rounds of a lead that checks and a diver that searches. */
const rounds = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    ledger(false, `No wreck was found up to ${at * 10} m.`),
    dive(at + 1),
  ]).flat();
const run = (...lines: string[]) => ['user "Where is the wreck?"', ...lines].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'ended_as_failed: the rounds end before the lead says that the request is satisfied',
    trace: run(...rounds(4)),
    fires: [
      {
        subtype: 'ended_as_failed',
        step: 7,
        agent: 'lead',
        severity: 'warning',
        text: 'lead stated is_request_satisfied: false in all 4 of its records (steps 1, 3, 5 and 7), and the run ended at step 8. Its last reason: "No wreck was found up to 30 m."',
        suggestion: 'Read the last reason of lead at step 7.',
      },
    ],
  },
  {
    name: 'ended_as_failed: more than six records',
    trace: run(...rounds(8)),
    fires: [
      {
        subtype: 'ended_as_failed',
        text: 'is_request_satisfied: false in all 8 of its records (8 steps from 1 to 15), and the run ended at step 16.',
      },
    ],
  },
  {
    name: 'ended_as_failed: a bare flag in another spelling; the lead gives an answer after the last round',
    trace: run(
      ...['a', 'b', 'c'].flatMap((place) => [
        says('lead', '{"taskCompleted": false}'),
        says('diver', `Nothing at ${place}.`),
      ]),
      says('lead', 'The wreck is at c.'),
    ),
    fires: [{ subtype: 'ended_as_failed', step: 5, agent: 'lead', text: 'taskCompleted: false in all 3' }],
  },
  {
    name: 'ended_as_failed: the run ends on the record',
    trace: run(...rounds(3), ledger(false, 'Still nothing.')),
    fires: [{ subtype: 'ended_as_failed', step: 7, agent: 'lead' }],
  },
  {
    name: 'silent: the last record says that the request is satisfied',
    trace: run(...rounds(3), ledger(true, 'The wreck is at 40 m.'), says('lead', 'It is at 40 m.')),
    silent: true,
  },
  {
    name: 'silent: two rounds may be a fixed number',
    trace: run(...rounds(2), says('writer', 'The wreck was not found up to 20 m.')),
    silent: true,
  },
  {
    name: 'silent: an agent without an earlier round gives the answer',
    trace: run(...rounds(3), ledger(false, 'The report is missing.'), says('writer', 'The wreck is at 30 m.')),
    silent: true,
  },
  {
    name: 'silent: a single agent marks each of its steps as not done, and answers in another form',
    trace: run(
      ...[1, 2, 3].flatMap((hour) => [
        says('diver', '{"thought": "deeper", "done": false}'),
        `tool sonar {"hour":${hour}} -> "echo ${hour}"`,
      ]),
      says('diver', 'The wreck is at 30 m.'),
    ),
    silent: true,
  },
  {
    name: 'silent: the field states something else',
    trace: run(...[1, 2, 3].flatMap((round) => [says('guard', '{"is_toxic": false, "is_valid": false}'), dive(round)])),
    silent: true,
  },
];

testDetector(completion, rows);
