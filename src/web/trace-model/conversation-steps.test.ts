import { expect, test } from 'vitest';
import { outlineOfSteps } from '../../../test/support/outline-of-steps.ts';
import { toColumns } from './columns.ts';
import { conversationSteps, newMessages } from './conversation-steps.ts';

const message = (role: string, content: string) => ({ role, content, name: null, tool_calls: [] });
const [system, question, call, result, more] = [
  message('system', 'be brief'),
  message('user', 'find the order'),
  message('assistant', ''),
  message('tool', '[]'),
  message('user', 'and the invoice'),
];

test.each([
  ['the first call', [system, question], [], [system, question]],
  ['a call after a tool result', [system, question, call, result], [system, question], []],
  ['a call with a later question', [system, question, call, result, more], [system, question, call, result], [more]],
  ['a call with a different history', [more], [system, question], [more]],
])('new messages in %s', (_name, sent, before, expected) => {
  expect(newMessages(sent, before)).toEqual(expected);
});

test('a conversation consists of model calls, messages and tools', () => {
  const columns = toColumns(outlineOfSteps(['agent', 'llm', 'tool', 'chain', 'message'].map((kind) => ({ kind }))));
  expect([...conversationSteps(columns, null)]).toEqual([1, 2, 4]);
  expect([...conversationSteps(columns, Uint8Array.of(1, 0, 1, 1, 0))]).toEqual([2]);
});

test('a trace without known kinds is shown in full', () => {
  expect([...conversationSteps(toColumns(outlineOfSteps([{ kind: 'other' }, { kind: 'other' }])), null)]).toEqual([
    0, 1,
  ]);
});
