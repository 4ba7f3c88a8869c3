import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';

const poll = (state: string) => `llm gpt-4o\ntool poll {"job":"j-4"} -> ${JSON.stringify(state)}`;

const waiting = (states: readonly string[], end: readonly string[] = []) =>
  [
    'node baker !! Error: no answer after 6 steps',
    ...['agent baker', 'user "Bake the rye loaves."', ...states.map(poll), ...end]
      .flatMap((step) => step.split('\n'))
      .map((line) => `  ${line}`),
  ].join('\n');

const STILL = Array.from({ length: 6 }, () => 'oven at 40 of 220 degrees');

const rows: DetectorRow[] = [
  {
    name: 'endless_wait: the run failed while the state stayed the same',
    trace: waiting(STILL),
    fires: [
      {
        subtype: 'endless_wait',
        severity: 'critical',
        step: 5,
        agent: 'baker',
        text: 'baker called poll 6 times with the same arguments to wait, and got "oven at 40 of 220 degrees" each time (steps 3 to 13). The run ended on this wait, without an answer: "no answer after 6 steps".',
        suggestion: 'Find out why the state stays at "oven at 40 of 220 degrees"',
        fix: 'Limit how long a state of poll may stay the same',
      },
    ],
  },
  {
    name: 'silent: the run did not fail and may still wait',
    trace: ['agent baker', 'user "Bake the rye loaves."', ...STILL.map(poll)].join('\n'),
    silent: true,
  },
  {
    name: 'silent: an answer follows',
    trace: waiting(STILL, ['llm gpt-4o -> "The oven stays cold, so I stopped."']),
    silent: true,
  },
  {
    name: 'silent: the state changes',
    trace: waiting(STILL.map((_, at) => `oven at ${at * 40} of 220 degrees`)),
    silent: true,
  },
  { name: 'silent: a short wait', trace: waiting(STILL.slice(0, 4)), silent: true },
  {
    name: 'silent: another call follows',
    trace: waiting(STILL, ['tool cancel {"job":"j-4"} -> "cancelled"']),
    silent: true,
  },
  { name: 'silent: polls without a result', trace: waiting(STILL.map(() => '')), silent: true },
];

testDetector(loop, rows);
