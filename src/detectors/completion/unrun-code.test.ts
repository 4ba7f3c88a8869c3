import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { completion } from './detector.ts';

const SCRIPT = '```python\nfrom gauge import verify\n\ndef level(hour):\n    """Water level."""\n\nverify(level)\n```';
const CODE = '```python\nfrom gauge import verify\n\ndef level(hour):\n    return hour % 6\n\nverify(level)\n```';
const user = (text: string) => `user ${JSON.stringify(text)}`;
const says = (text: string) => `llm gpt-4o -> ${JSON.stringify(text)}`;
const chat = (...lines: string[]) =>
  [user(`Complete the script and run it.\n${SCRIPT}`), 'agent diver', ...lines].join('\n');

const rows: DetectorRow[] = [
  {
    name: 'code_not_run: the message with the code ends the chat',
    trace: chat(says(`This works.\n${CODE}\n\n**TERMINATE**`)),
    fires: [{ subtype: 'code_not_run', step: 1, agent: 'diver', severity: 'warning', says: '`verify(level)`' }],
  },
  {
    name: 'code_not_run: the message claims the result of the run',
    trace: chat(says(`${CODE}\nAll tests pass.\nTERMINATE`)),
    fires: [{ subtype: 'code_not_run', severity: 'critical', says: 'although the message says "All tests pass."' }],
  },
  {
    name: 'silent: the chat goes on with the result',
    trace: chat(says(`${CODE}\nTERMINATE`), 'message runner "exitcode: 0 (execution succeeded)\\nCode output: ok"'),
    silent: true,
  },
  { name: 'silent: the message does not end the chat', trace: chat(says(CODE)), silent: true },
  {
    name: 'silent: the code is not the script of the user',
    trace: chat(says('```python\nprint(6)\n```\nTERMINATE')),
    silent: true,
  },
  { name: 'silent: the message only ends the chat', trace: chat(says('Done.\nTERMINATE')), silent: true },
];

testDetector(completion, rows);
