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

const said = (content: string, role = 'user') => ({ role, name: null, content, toolCalls: [], toolCallId: null });

test('a user turn that the user says again is counted again', () => {
  const history = [said('go on'), said('turn 0', 'assistant'), said('go on')];
  const trace = new TraceBuilder()
    .agent('a')
    .llm('turn 0', { inputMessages: history.slice(0, 1) })
    .llm('turn 1', { inputMessages: history })
    .llm('turn 2', { inputMessages: history })
    .build();
  expect(conversation(trace).map(({ by, step }) => `${by} ${step}`)).toEqual([
    'user 0',
    'agent 0',
    'user 1',
    'agent 1',
    'agent 2',
  ]);
});

test('a user turn that is a step and in the history of the next answers is counted once', () => {
  const trace = new TraceBuilder()
    .user('go on')
    .agent('a')
    .repeat(2, (builder, round) => builder.llm(`turn ${round}`, { inputMessages: [said('go on')] }))
    .build();
  expect(conversation(trace).map(({ by }) => by)).toEqual(['user', 'agent', 'agent']);
});

test('an agent whose span has no model call inside says its output', () => {
  const trace = new TraceBuilder()
    .step({ kind: 'agent', name: 'run', agent: 'planner', output: '' })
    .step({ kind: 'agent', name: 'planner', agent: 'planner', output: '```python\nprint(1)\n```' })
    .step({ kind: 'agent', name: 'runner', agent: 'runner', output: 'exitcode: 0\n1' })
    .step({ kind: 'agent', name: 'user', agent: 'user', output: 'And now 2?' })
    .step({ kind: 'agent', name: 'writer', agent: 'writer', output: 'The answer is 2.' })
    .build();
  expect(conversation(trace).map(({ by, agent, step }) => `${by} ${agent} ${step}`)).toEqual([
    'agent planner 1',
    'executor runner 2',
    'user user 3',
    'agent writer 4',
  ]);
});

test('an agent whose span has model calls inside says what they answer', () => {
  const trace = parseTrace('user "hi"\nagent a\nllm gpt-4o -> "hello"');
  const around = { ...trace.steps[1]!, kind: 'agent' as const, index: 1, output: 'hello', outputMessages: [] };
  const inside = { ...trace.steps[1]!, index: 2, parent: 1, depth: 1 };
  expect(
    conversation({ ...trace, steps: [trace.steps[0]!, around, inside] }).map(({ by, step }) => `${by} ${step}`),
  ).toEqual(['user 0', 'agent 2']);
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
