import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';

/** A version of one script, with a line that only this version has. */
const version = (line: string) =>
  `llm gpt-4o -> "Next version:\\n\`\`\`python\\nrows = load('tides.csv')\\nharbours = group(rows, key='harbour')\\n${line}\\nprint(total(harbours))\\n\`\`\`"`;
const failed = (line: number) =>
  `message runner "exitcode: 1 (execution failed)\\nTraceback (most recent call last):\\n  File \\"/tmp/x${line}.py\\", line ${line}\\nKeyError: 'harbour'"`;
const chat = (...lines: string[]) => ['agent coder', ...lines].join('\n');

const draft = (word: string) =>
  `node poet -> "The harbour sleeps under ${word} rain tonight, and the last ferry waits."`;
const drafts = (rounds: number) =>
  ['grey', 'warm', 'loud']
    .slice(0, rounds)
    .flatMap((word) => [draft(word), 'node critic -> "The metre of the second line is broken."']);

const rows: DetectorRow[] = [
  {
    name: 'same_verdict: a reviewer says the same about each draft',
    trace: drafts(3).join('\n'),
    fires: [{ subtype: 'same_verdict', step: 3, agent: 'poet', severity: 'info', text: 'gave no other answer' }],
  },
  {
    name: 'same_verdict: the drafts are still passed on to another agent',
    trace: [...drafts(3), 'node printer -> "Printed on two pages."'].join('\n'),
    fires: [{ subtype: 'same_verdict', step: 3, severity: 'info' }],
  },
  {
    name: 'silent: the last draft gets another answer',
    trace: [...drafts(3), draft('bright'), 'node critic -> "Now the metre is right in all lines."'].join('\n'),
    silent: true,
  },
  { name: 'silent: two equal answers are not a pattern', trace: drafts(2).join('\n'), silent: true },
  {
    name: 'silent: different pieces of work are approved in the same words',
    trace: [
      'node writer -> "Chapter one tells how the lighthouse was built."',
      'node editor -> "Accepted, please go on with the next one."',
      'node writer -> "Two keepers fight a winter storm for three days."',
      'node editor -> "Accepted, please go on with the next one."',
      'node writer -> "Finally an electric lamp replaces both men."',
      'node editor -> "Accepted, please go on with the next one."',
    ].join('\n'),
    silent: true,
  },
  {
    name: 'silent: different programs that print the same',
    trace: chat(
      'llm gpt-4o -> "```python\\nimport os\\nos.makedirs(folder)\\n```"',
      'message runner "exitcode: 0 (execution succeeded)\\nCode output:"',
      'llm gpt-4o -> "```python\\nframe = read_excel(path)\\nframe.save(folder)\\n```"',
      'message runner "exitcode: 0 (execution succeeded)\\nCode output:"',
      'llm gpt-4o -> "```python\\nplot(frame.columns).write(image)\\n```"',
      'message runner "exitcode: 0 (execution succeeded)\\nCode output:"',
    ),
    silent: true,
  },
  {
    name: 'cyclic: the same message with the same code again is reported once',
    trace: chat(
      version('rows.sort()'),
      failed(3),
      version('rows.sort()'),
      failed(3),
      version('rows.sort()'),
      failed(3),
    ),
    fires: [{ subtype: 'cyclic', step: 2, agent: 'coder' }],
  },
  {
    name: 'exact_repetition: the same code in other words',
    trace: chat(
      version('rows.sort()'),
      failed(3),
      version('rows.sort()').replace('Next version', 'I corrected it'),
      failed(3),
      version('rows.sort()').replace('Next version', 'Now it will work'),
      failed(3),
    ),
    fires: [{ subtype: 'exact_repetition', step: 2, agent: 'coder', text: 'coder had runner run 3 times in a row' }],
  },
];

testDetector(loop, rows);
