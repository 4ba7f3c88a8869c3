import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const run = (last: string) => `user "Fetch the red key."\nagent player\ntool look {} -> "A red key."\n${last}`;
const take = (result: string) => run(`tool take {"what":"mouse"} -> ${result}`);

const lost: DetectorRow[] = [
  '"You take the mouse.\\n\\n *** You lost! ***\\n\\nYou scored 0 of 1."',
  '"Mission failed."',
  '"Game over. You lose!"',
  '"Du hast verloren!"',
  '"任务失败。"',
  '{"observation":"a mouse","done":true,"success":false}',
  '"{\\"is_done\\": true, \\"won\\": false}"',
].map((result) => ({
  name: `ended_lost: ${result.slice(0, 40)}`,
  trace: take(result),
  fires: [
    { subtype: 'ended_lost', step: 2, severity: 'warning', agent: 'player', fix: 'the environment ends as lost' },
  ],
}));

const rows: DetectorRow[] = [
  ...lost,
  { name: 'silent: the run is won', trace: take('"*** The End ***\\nYou scored 1 of 1."'), silent: true },
  { name: 'silent: the run goes on', trace: take('{"done":false,"success":false}'), silent: true },
  { name: 'silent: a text about it', trace: take('"If you take the mouse, you lost the game."'), silent: true },
  {
    name: 'silent: the agent answers after it',
    trace: `${take('"You lost!"')}\nllm m -> "The test of the ending works."`,
    silent: true,
  },
  {
    name: 'silent: the output of a command',
    trace: run('tool bash {"command":"python game.py"} -> "You lost!"'),
    silent: true,
  },
];

testDetector(completion, rows);
