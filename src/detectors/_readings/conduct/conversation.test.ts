import { expect, test } from 'vitest';
import { TraceBuilder } from '../../../../test/support/trace-builder.ts';
import { parseTrace } from '../../_testing/notation.ts';
import { agentTurns, conversation } from './conversation.ts';

test.each([
  ['user "hi"\nagent a\nllm gpt-4o -> "hello"', 'user agent'],
  ['system "be kind"\nagent a\nllm gpt-4o -> "hello"', 'system agent'],
  ['agent a\nllm gpt-4o -> "```python\\nprint(1)\\n```"\nmessage runner "one\\ntwo"', 'agent executor'],
  ['agent a\nllm gpt-4o -> "a plan"\nmessage critic "a doubt"', 'agent agent'],
  ['message runner "Traceback (most recent call last)"', 'executor'],
  ['agent a\nllm gpt-4o -> ""\ntool search {} -> "x"', ''],
  ['agent a\nllm gpt-4o -> "\\n "\nmessage critic " "', ''],
  ['agent a\nllm gpt-4o calls search {}', 'agent'],
])('%s is said by %s', (text, by) => {
  expect(
    conversation(parseTrace(text))
      .map((value) => value.by)
      .join(' '),
  ).toBe(by);
});

test('a user turn that every history repeats is counted once', () => {
  const history = [{ role: 'user', name: null, content: 'go', toolCalls: [], toolCallId: null }];
  const trace = new TraceBuilder()
    .agent('a')
    .repeat(3, (builder, round) => builder.llm(`turn ${round}`, { inputMessages: history }))
    .build();
  expect(conversation(trace).filter(({ by }) => by === 'user')).toHaveLength(1);
  expect(agentTurns(trace)).toHaveLength(3);
});
