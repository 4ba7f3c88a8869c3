import { expect, test } from 'vitest';
import type { Message } from '../../client/misstep-client.generated.ts';
import { answerLabel } from './answer-label.ts';

test.each<[string, string, string[], string]>([
  ['a text', 'It opens at 9.', [], 'answer'],
  ['a text with a call', 'I look it up.', ['web_search'], 'answer'],
  ['a call', '', ['web_search'], 'calls web_search'],
  ['two calls of one tool', '', ['web_search', 'web_search'], 'calls web_search'],
  ['calls of several tools', '', ['a', 'b', 'c', 'd', 'e'], 'calls a, b, c and 2 more'],
  ['nothing', '', [], 'answer'],
])('%s', (_case, content, tools, expected) => {
  const tool_calls = tools.map((name) => ({ id: null, name, arguments: {} }));
  expect(answerLabel({ role: 'assistant', name: null, content, tool_calls } as Message)).toBe(expected);
});
