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

test('a result of a call that a program hands over as a message of the user is no turn', () => {
  const message = (content: string) => ({ role: 'user', name: null, content, toolCalls: [], toolCallId: null });
  const history = [message('how many rows?'), message('212 rows\nin table orders'), message('and in March?')];
  const trace = new TraceBuilder()
    .agent('a')
    .llm('I count.', { inputMessages: history.slice(0, 1) })
    .tool('count', {}, '212 rows\nin table orders')
    .llm('There are 212.', { inputMessages: history })
    .build();
  const user = conversation(trace).filter(({ by }) => by === 'user');
  expect(user.map(({ text }) => text)).toEqual(['how many rows?', 'and in March?']);
});
