import { expect, test } from 'vitest';
import type { Span } from '../../client/misstep-client.generated.ts';
import { passageOf, tabOfPath, tabOfQuote } from './quote-tab.ts';

const span = {
  status: { code: 2, message: 'no route' },
  attributes: { 'http.url': 'http://a.test', size: 3 },
  step: {
    input: '{"q":"ord 17"}',
    output: '[]',
    error: { type: 'E', message: 'host unreachable' },
    input_messages: [{ role: 'user', name: null, content: 'find the order', tool_calls: [] }],
    output_messages: [],
  },
} as unknown as Span;

test.each([
  ['tool.arguments', 'input'],
  ['tool.arguments.q', 'input'],
  ['input_messages[0].content', 'messages'],
  ['outputs', null],
  ['state.orders', 'state'],
  [null, null],
])('the path %s belongs to the tab %s', (path, expected) => {
  expect(tabOfPath(path)).toBe(expected);
});

test.each([
  ['tool.arguments', 'ord 17', 'input'],
  ['output', 'ord 17', 'input'],
  [null, 'host unreachable', 'output'],
  [null, 'no route', 'output'],
  ['output', 'find the', 'messages'],
  [null, 'a.test', 'attributes'],
  ['output', 'shortened …', 'output'],
  ['state', null, 'state'],
  [null, 'nowhere', null],
])('the quote with the path %s and the text "%s" is in the tab %s', (path, quote, expected) => {
  expect(tabOfQuote(span, path, quote)).toBe(expected);
});

test.each([
  ['search({"q":"ord 17"})', '{"q":"ord 17"}'],
  ['[]', '[]'],
  ['search({"q":"other"})', 'search({"q":"other"})'],
  [null, null],
])('the passage of the quote %s is %s', (quote, expected) => {
  expect(passageOf(span, quote)).toBe(expected);
});
