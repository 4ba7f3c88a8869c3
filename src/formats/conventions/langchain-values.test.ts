import { expect, test } from 'vitest';
import type { Json } from '../../core/json.ts';
import { gotoOf, plainState, readGraphState, readLangGraphMetadata } from './langchain-values.ts';

test.each<[string, Json, string[]]>([
  ['a command', { lg_name: 'Command', update: {}, goto: ['writer'] }, ['writer']],
  ['one name', { update: {}, goto: 'writer' }, ['writer']],
  ['a send packet', { lg_name: 'Command', goto: [{ lg_name: 'Send', node: 'writer', args: {} }] }, ['writer']],
  ['several commands', [{ goto: 'a' }, { goto: 'b' }], ['a', 'b']],
  ["Python's text", "Command(update={'n': 1}, goto='writer')", ['writer']],
  ['a state with a field of that name of another class', { lg_name: 'Send', goto: 'x' }, []],
  ['a plain state', { next: 'writer' }, []],
])('gotoOf: %s', (_, value, names) => {
  expect(gotoOf(value)).toEqual(names);
});

test.each([
  [
    'a visit',
    { langgraph_node: 'cook', langgraph_step: 2, checkpoint_ns: 'cook:1' },
    'cook',
    { agent: 'cook', node: 'cook', superstep: 2 },
  ],
  [
    'inside a visit',
    { langgraph_node: 'cook', langgraph_step: 2 },
    'ChatOpenAI',
    { agent: 'cook', node: undefined, superstep: undefined },
  ],
  ['a subgraph', { langgraph_node: 'call', checkpoint_ns: 'cook:1|call:2' }, 'call', { agent: 'cook', node: 'call' }],
  ['a named agent', { langgraph_node: 'model', lc_agent_name: 'chef' }, 'model', { agent: 'chef', node: 'model' }],
  ['the tools node', { langgraph_node: 'tools' }, 'tools', { agent: undefined, node: 'tools' }],
  [
    'the graph itself',
    { ls_integration: 'langgraph', thread_id: 't' },
    'LangGraph',
    { framework: 'langgraph', agent: undefined, threadId: 't' },
  ],
])('metadata of %s', (_, metadata, name, expected) => {
  expect(readLangGraphMetadata(metadata, name)).toMatchObject(expected);
});

test('message ids do not change a state', () => {
  const human = (id: string): Json => ({
    lc: 1,
    type: 'constructor',
    id: ['x', 'HumanMessage'],
    kwargs: { content: 'hi', id },
  });
  expect(plainState({ messages: [human('1')], n: 1 })).toEqual(plainState({ messages: [human('2')], n: 1 }));
});

test('a command writes its update', () => {
  expect(readGraphState({ a: 1 }, { lg_name: 'Command', update: { a: 2 }, goto: 'x' })).toEqual({
    stateBefore: { a: 1 },
    stateUpdate: { a: 2 },
  });
});
