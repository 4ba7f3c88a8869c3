import { parseTrace } from '../_testing/notation.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
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

const STACK = `tool bash {"command":"node valve.js"} exit 1 -> ${JSON.stringify('/srv/valve.js:3\n  throw new Error();\n\nError: no valve answers\n    at open (/srv/valve.js:3:9)\n\nNode.js v22.1.0')}`;

const rows: DetectorRow[] = [
  {
    name: 'mostly_failed: four of six calls, the last one among them, though an answer follows',
    trace: run(works('messen'), works('lesen'), ...FOUR),
    fires: [
      {
        subtype: 'mostly_failed',
        step: 3,
        agent: 'warden',
        severity: 'warning',
        text: '4 of the 6 calls of the run failed, with 4 different messages: the first one, entlüften at step 3, with "the valve is stuck"',
        suggestion:
          'Have warden correct the arguments of entlüften: step 3 passed {"unit":"H4"}, and the answer is "the valve is stuck".',
      },
    ],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the error is quoted, not the version that the runtime prints below it',
    trace: run(works('messen'), works('lesen'), STACK, ...FOUR.slice(1)),
    fires: [{ subtype: 'mostly_failed', step: 3, text: 'with "Error: no valve answers", and' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: the run ended as failed',
    trace: { ...parseTrace(run(works('messen'), works('lesen'), ...FOUR)), status: 'error' },
    fires: [{ subtype: 'mostly_failed', step: 3, text: 'and the run ended as failed' }],
    isPrefixInvariant: false,
  },
  {
    name: 'mostly_failed: a refused call after the last failure',
    trace: run(works('messen'), works('lesen'), ...FOUR, 'tool spülen {"unit":"H5"} refused user "no"'),
    fires: [
      {
        subtype: 'mostly_failed',
        step: 3,
        text: '(1 refused call not counted), with 4 different messages',
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
