import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { runEndAfter } from './run-end.ts';

const FAILED = 'llm m calls fetch {"page":1}\ntool fetch {"page":1} !! "503 Service Unavailable"';
const EMPTY = 'llm m calls fetch {"page":1}\ntool fetch {"page":1} -> "Nothing was found for this page."';

describe('the end of a run after its last call', () => {
  it.each([
    ['a failed call', FAILED, { isUnsolved: true, isUnanswered: true, isAnswerDue: true, admits: null }],
    [
      'a call that no agent requested',
      'llm m -> "I look it up."\ntool fetch {"page":1} -> "Nothing was found for this page."',
      { isUnanswered: true, isAnswerDue: false },
    ],
    [
      'a session of a coding agent whose recording stops',
      `session {"endedBy":"unknown"}\n${EMPTY}`,
      { isUnanswered: true, isAnswerDue: false },
    ],
    [
      'a message that consists of the call',
      'llm m -> "page 1"\ntool fetch "page 1" -> "Nothing was found for this page."',
      { text: ' The run ended with this result.', isUnanswered: false, isAnswerDue: false },
    ],
    ['an empty result', EMPTY, { isUnsolved: false, isUnanswered: true, admits: null }],
    [
      'a failed call and an admission',
      `${FAILED}\nllm m -> "I was unable to fetch the page."`,
      { isUnsolved: false, isUnanswered: false, admits: 'failure' },
    ],
    [
      'an empty result and a message that begins with an admission',
      `${EMPTY}\nllm m -> "I was unable to find the page."`,
      { isUnsolved: false, isUnanswered: false, admits: 'trouble' },
    ],
    [
      'a call that submits the work, requested in a code block',
      `${EMPTY}\nllm m -> "I submit it.\\n\`\`\`\\nsubmit\\n\`\`\`"\ntool submit -> "done"`,
      { text: ' The run then ended with submit at step 3.', isUnanswered: false },
    ],
    [
      'an empty result and an answer',
      `${EMPTY}\nllm m -> "The page is empty."`,
      { isUnsolved: false, isUnanswered: false, admits: null },
    ],
  ])('%s', (_name, text, expected) => {
    const trace = parseTrace(`agent clerk\n${text}`);
    const call = trace.steps.findLast(({ kind, name }) => kind === 'tool' && name === 'fetch')!;
    expect(runEndAfter(trace, call.index)).toMatchObject(expected);
  });
});
