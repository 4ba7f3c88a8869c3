import { expect, test } from 'vitest';
import { outlineOfSteps } from '../../../test/support/outline-of-steps.ts';
import { toColumns } from './columns.ts';
import { newMessages, spokenSteps } from './spoken-steps.ts';

const message = (role: string, content: string) => ({ role, content, name: null, tool_calls: [] });
const [system, ask, call, result, more] = [
  message('system', 'be brief'),
  message('user', 'find the order'),
  message('assistant', ''),
  message('tool', '[]'),
  message('user', 'and the invoice'),
];

test.each([
  ['the first call', [system, ask], [], [system, ask]],
  ['a call after a tool', [system, ask, call, result], [system, ask], []],
  ['a later question', [system, ask, call, result, more], [system, ask, call, result], [more]],
  ['another history', [more], [system, ask], [more]],
])('new in %s', (_name, sent, before, expected) => {
  expect(newMessages(sent, before)).toEqual(expected);
});

test('a conversation consists of model calls, messages and tools', () => {
  const columns = toColumns(outlineOfSteps(['agent', 'llm', 'tool', 'chain', 'message'].map((kind) => ({ kind }))));
  expect([...spokenSteps(columns, null)]).toEqual([1, 2, 4]);
  expect([...spokenSteps(columns, Uint8Array.of(1, 0, 1, 1, 0))]).toEqual([2]);
});

test('a trace without known kinds is shown whole', () => {
  expect([...spokenSteps(toColumns(outlineOfSteps([{ kind: 'other' }, { kind: 'other' }])), null)]).toEqual([0, 1]);
});
