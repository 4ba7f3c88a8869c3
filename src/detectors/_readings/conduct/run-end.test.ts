import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { runEndAfter } from './run-end.ts';

const FAILED = 'llm m calls fetch {"page":1}\ntool fetch {"page":1} !! "503 Service Unavailable"';
const EMPTY = 'llm m calls fetch {"page":1}\ntool fetch {"page":1} -> "Nothing was found for this page."';

const CODE = 'def level():\n    return 2\nverify(level)';
const RUN = `tool fetch ${JSON.stringify({ code: CODE })} -> "Some tests failed"`;

const SUBMITTED = `llm m -> ${JSON.stringify(CODE)}\n${RUN.replace('Some tests failed', 'Failed 3/7 test cases')}`;

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
      {
        text: ' Each call of the run submits an answer, and the run ended on the result of the last one.',
        isUnanswered: false,
        isAnswerDue: false,
      },
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
      'a long message that ends with an admission',
      `${EMPTY}\nllm m -> "The task was to look up the page of the ferry with the days on which it sails in the month of May. After several attempts, the days could not be found."`,
      {
        text: ' The run ended with the message at step 2, which says: "After several attempts, the days could not be found.".',
        admits: 'trouble',
      },
    ],
    [
      'a call that worked later, and a message that ends with an admission',
      `${EMPTY}\nllm m calls save {"page":1}\ntool save {"page":1} -> "saved"\nllm m -> "I was unable to find the days."`,
      { text: ' The run ended with the message at step 4: "I was unable to find the days.".', admits: 'trouble' },
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
    [
      'a failed call, and the code of it once more with a claim',
      `${RUN}\nllm m -> ${JSON.stringify(`\`\`\`python\n${CODE}\n\`\`\`\nAll tests pass.`)}`,
      {
        text: ' The run ended with the code that had failed at step 0, unchanged (step 1). That message says "All tests pass."',
        isUnsolved: true,
      },
    ],
    [
      'tests that state a failure, and an answer',
      `${RUN}\nllm m -> "Please look at the gauge."`,
      { isUnsolved: true, isUnanswered: false },
    ],
    [
      'submissions of one program that all failed',
      `${SUBMITTED}\n${SUBMITTED}`,
      {
        text: ' Each call of the run submits an answer: all 2 failed, including the last one, and no other version was tried.',
        isUnsolved: true,
        isUnanswered: false,
        isSubmission: true,
      },
    ],
    [
      'submissions of several programs that all failed',
      `${SUBMITTED}\n${SUBMITTED.replaceAll('return 2', 'return 3')}`,
      { text: ' Each call of the run submits an answer: all 2 failed, including the last one.', isSubmission: true },
    ],
    [
      'a submission with a result that states nothing',
      SUBMITTED.replace('Failed 3/7 test cases', 'level 2'),
      {
        text: ' Each call of the run submits an answer, and the run ended on the result of the last one.',
        isUnsolved: false,
        isSubmission: true,
      },
    ],
    [
      'a failed call, and other code',
      `${RUN}\nllm m -> ${JSON.stringify(`\`\`\`python\n${CODE.replace('2', '3')}\n\`\`\``)}`,
      { text: ' The run ended with code at step 1 that nothing ran.', isUnsolved: true },
    ],
  ])('%s', (_name, text, expected) => {
    const trace = parseTrace(`agent clerk\n${text}`);
    const call = trace.steps.findLast(({ kind, name }) => kind === 'tool' && name === 'fetch')!;
    expect(runEndAfter(trace, call.index)).toMatchObject(expected);
  });
});
