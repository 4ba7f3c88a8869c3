import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { contextNeglect } from './detector.ts';

const REQUEST = 'user "Write the list of berths to berths.txt."';
const writes = (path: string, result = 'ok') =>
  `tool write_file {"path":"${path}","content":"north, south"} -> ${JSON.stringify(result)}`;
const run = (...lines: string[]) => [REQUEST, 'agent clerk', ...lines, 'llm m -> "All berths are written."'].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'other_file: the run wrote a file of the same kind under another name',
    trace: run(writes('output.txt')),
    fires: [
      {
        subtype: 'other_file',
        step: 1,
        agent: 'clerk',
        severity: 'warning',
        text: 'The user named berths.txt at step 0. No call, result or text of the run contains that name. At step 1 clerk wrote output.txt, which the user did not name.',
        suggestion: 'Have clerk write berths.txt instead of output.txt',
        fix: 'Write berths.txt',
      },
    ],
  },
  {
    name: 'other_file: the prompts of other agents leave the name out',
    trace: `${REQUEST}
agent planner
llm m -> "Step 1: create the output file."
user "Create the output file."
agent writer
llm m -> "I create output.txt."
${writes('output.txt')}
agent planner
llm m -> "Done."`,
    fires: [{ subtype: 'other_file', step: 4, agent: 'writer' }],
  },
  { name: 'silent: the file was written', trace: run(writes('port/berths.txt')), silent: true },
  { name: 'silent: both were written', trace: run(writes('draft.txt'), writes('berths.txt')), silent: true },
  { name: 'silent: a file of another kind', trace: run(writes('berths.py')), silent: true },
  {
    name: 'silent: the answer mentions the file',
    trace: `${REQUEST}\nagent clerk\n${writes('output.txt')}\nllm m -> "berths.txt is read-only, so I wrote output.txt."`,
    silent: true,
  },
  {
    name: 'silent: a command moves the file',
    trace: run(writes('draft.txt'), 'tool bash {"command":"mv draft.txt berths.txt"} -> ""'),
    silent: true,
  },
  {
    name: 'silent: a result lists the file',
    trace: run('tool list {"path":"."} -> "notes.txt"', writes('notes.txt')),
    silent: true,
  },
  {
    name: 'silent: the user names the other file, too',
    trace: `user "Write the berths of berths.txt to list.txt."\nagent clerk\n${writes('list.txt')}\nllm m -> "Done."`,
    silent: true,
  },
  {
    name: 'silent: the name of a program is no file',
    trace: `user "Write a start script for Node.js."\nagent clerk\n${writes('start.js')}\nllm m -> "Done."`,
    silent: true,
  },
  {
    name: 'silent: the call failed',
    trace: run('tool write_file {"path":"output.txt","content":"north"} !! Denied: read-only'),
    silent: true,
  },
  {
    name: 'silent: the agent asks',
    trace: `${REQUEST}\nagent clerk\n${writes('output.txt')}\nllm m -> "Which folder should it be in?"`,
    silent: true,
  },
];

testDetector(contextNeglect, rows);
