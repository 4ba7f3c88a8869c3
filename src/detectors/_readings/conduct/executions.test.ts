import { expect, test } from 'vitest';
import { messageStep, parseTrace } from '../../_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../../_testing/trace-draft.ts';
import { executions } from './executions.ts';

const CODE = 'agent coder\nllm gpt-4o -> "Try this:\\n```python\\nprint(2 + 2)\\n```"\n';
const summary = (text: string) =>
  executions(parseTrace(text)).map(({ agent, name, argumentsText, resultText, isError }) => ({
    agent,
    name,
    argumentsText,
    resultText,
    isError,
  }));

test('code in a message and the answer of the code runner are a call', () => {
  expect(summary(`${CODE}message runner "exitcode: 0 (execution succeeded)\\nCode output: 4"`)).toEqual([
    {
      agent: 'coder',
      name: 'runner',
      argumentsText: 'print(2 + 2)',
      resultText: 'exitcode: 0 (execution succeeded)\nCode output: 4',
      isError: false,
    },
  ]);
});

test.each([
  ['an exit code', 'exitcode: 1 (execution failed)\\nNameError: x', true],
  ['another spelling of it', 'Exit status 2\\nno such option', true],
  ['a traceback', 'Traceback (most recent call last):\\n  File \\"a.py\\"\\nNameError: x', true],
  ['exit code 0', 'exitcode: 0 (execution succeeded)\\nerrors: 0', false],
  ['plain output', 'the first exit code: 1 was seen yesterday', false],
])('%s says whether it failed', (_, output, isError) => {
  expect(summary(`${CODE}message runner "${output}"`).map((use) => use.isError)).toEqual([isError]);
});

test('output without code before it is not an execution, and neither is code that was not run', () => {
  expect(summary('agent coder\nllm gpt-4o -> "I am done"\nmessage runner "exitcode: 0"')).toEqual([]);
  expect(summary(`${CODE}llm gpt-4o -> "I did not run it"`)).toEqual([]);
});

test('code that a recorded tool call ran is not counted twice', () => {
  expect(summary(`${CODE}tool run_code {"code":"print(2 + 2)"} -> "4"\nmessage runner "exitcode: 0\\n4"`)).toEqual([]);
});

test('a code runner whose messages have the user role', () => {
  const draft = emptyDraft();
  addStep(draft, { kind: 'llm', agent: 'coder', output: '```sh\nmake\n```' });
  addStep(draft, { ...messageStep('runner', 'user', 'exitcode: 2 (execution failed)\nno rule'), agent: 'runner' });
  expect(executions(finishTrace(draft)).map(({ name, isError }) => [name, isError])).toEqual([['runner', true]]);
});
