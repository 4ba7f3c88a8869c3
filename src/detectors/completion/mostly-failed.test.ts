import { type DetectorRow, testDetector } from '../_kit/tester.ts';
import { completion } from './detector.ts';

const fails = (what: string, why: string) => `tool ${what} {"unit":"H4"} !! ${why}`;
const works = (what: string) => `tool ${what} {"unit":"H4"} -> "Unit H4 answers after ${what} with 12 degrees."`;
const ANSWER = 'llm gpt-4o -> "The heating runs."';
const run = (...lines: string[]) => ['user "Heat room 4."', 'agent warden', ...lines, ANSWER].join('\n');

const FOUR = [
  fails('entlüften', 'the valve is stuck'),
  fails('zünden', 'no gas arrives'),
  fails('pumpen', 'the pump is dry'),
  fails('spülen', 'no water in the pipe'),
];

const rows: DetectorRow[] = [
  {
    name: 'mostly_failed: four of six calls, the last one among them, though an answer follows',
    trace: run(works('messen'), works('lesen'), ...FOUR),
    fires: [
      {
        subtype: 'mostly_failed',
        step: 6,
        agent: 'warden',
        severity: 'warning',
        says: '4 of the 6 calls of the run failed',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: half of the calls worked',
    trace: run(works('a'), works('b'), FOUR[0]!, FOUR[1]!, works('c'), FOUR[2]!),
    silent: true,
  },
  {
    name: 'silent: the last call worked',
    trace: run(...FOUR, FOUR[0]!.replace('H4', 'H5'), works('messen')),
    silent: true,
  },
  {
    name: 'silent: five calls are too few',
    trace: run(works('messen'), works('lesen'), ...FOUR.slice(1)),
    fires: [{ subtype: 'ended_on_failures', severity: 'info' }],
  },
  { name: 'silent: the run goes on', trace: `running\n${run(works('messen'), works('lesen'), ...FOUR)}`, silent: true },
];

testDetector(completion, rows);
