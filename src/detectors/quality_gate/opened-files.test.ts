import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { openedFiles, reasonBefore } from './opened-files.ts';

const RUN = parseTrace(
  [
    'agent dev',
    'tool run "find . -name fares.py" -> "./ferry/fares.py\\n./tests/fares.py"',
    'tool open "ferry/fares.py" -> "1: def fare():"',
    'tool open "tests/test_fares.py" -> "1: def test_fare():"',
    'tool scroll -> "[File: /srv/ferry/fares.py (90 lines)]\\n40: return 3"',
    'tool open "ferry/bus.py" !! there is no such file',
    'tool open "ferry/trial.py" -> "1: print(3)"',
    'llm m -> "The fare cannot be changed here.\\n```\\nsubmit\\n```"',
    'tool submit -> "done"',
  ].join('\n'),
);

it('lists files that calls name or show, source files first; neither a list, nor a failed call, nor an own file', () => {
  expect(openedFiles(RUN, 7, new Set(['trial.py']))).toEqual([
    { path: '/srv/ferry/fares.py', step: 3, calls: 2 },
    { path: 'tests/test_fares.py', step: 2, calls: 1 },
  ]);
});

it('quotes the text that the agent wrote before the submission, without the call', () => {
  expect(reasonBefore(RUN, 7)).toBe(' Before it, at step 6, it wrote: "The fare cannot be changed here.".');
  expect(reasonBefore(RUN, 6)).toBe('');
});

it.each([
  [
    'the last sentence',
    'I read the fares. The task is to change them. I submit the work now.',
    'I submit the work now.',
  ],
  [
    'the last sentence that concedes something',
    'I cannot find it. I describe the change without editing the code. The fares would be consistent.',
    'I describe the change without editing the code.',
  ],
])('of a longer message it quotes %s', (_, text, quote) => {
  const run = parseTrace(`agent dev\nllm m -> "${text}\\n\`\`\`\\nsubmit\\n\`\`\`"\ntool submit -> "done"`);
  expect(reasonBefore(run, 1)).toContain(`wrote: "${quote}".`);
});
