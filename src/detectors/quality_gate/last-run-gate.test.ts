import { type DetectorRow, testDetector } from '../_kit/tester.ts';
import { qualityGate } from './detector.ts';

const CODE = 'llm gpt-4o -> "```python\\nprint(load(\'tides.csv\'))\\n```"';
const FAILED = 'message runner "exitcode: 1 (execution failed)\\nCode output: FileNotFoundError: tides.csv"';
const WORKED = 'message runner "exitcode: 0 (execution succeeded)\\nCode output: 12 rows"';
const ANSWER = 'llm gpt-4o -> "The file holds 12 rows."';
const chat = (...lines: string[]) => ['agent analyst', ...lines].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'failed_run_left: an answer after two runs that failed',
    trace: chat(CODE, FAILED, CODE, FAILED, ANSWER),
    fires: [
      { subtype: 'failed_run_left', step: 3, agent: 'analyst', severity: 'info', says: 'at step 3 ("Code output' },
    ],
  },
  {
    name: 'failed_run_left: one failure after a run that worked is a note',
    trace: chat(CODE, WORKED, CODE, FAILED, ANSWER),
    fires: [{ subtype: 'failed_run_left', step: 3, severity: 'info' }],
  },
  {
    name: 'failed_run_left: the chat ends on the failure itself',
    trace: chat(CODE, FAILED),
    fires: [{ subtype: 'failed_run_left', step: 1, agent: 'analyst' }],
  },
  { name: 'silent: a later run worked', trace: chat(CODE, FAILED, CODE, WORKED, ANSWER), silent: true },
  { name: 'silent: a run that is still going on', trace: `running\n${chat(CODE, FAILED)}`, notApplicable: true },
  {
    name: 'silent: the failure is of a program that somebody quotes',
    trace: chat('llm gpt-4o -> "The log says exitcode: 1 (execution failed)."', 'message clerk "exitcode: 1, I see."'),
    silent: true,
  },
];

testDetector(qualityGate, rows);
