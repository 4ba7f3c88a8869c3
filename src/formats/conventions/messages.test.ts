import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.ts';
import { looksLikeMessages, readMessages } from './messages.ts';

const lc = (kind: string, kwargs: { [key: string]: Json }): Json => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', kind],
  kwargs,
});
const call = { id: 'c1', name: 'find', arguments: { q: 'bees' }, result: null };
const rows: [string, Json, string, object[]][] = [
  ['bare words', 'hello', 'user', [{ role: 'user', content: 'hello' }]],
  [
    'OpenAI chat',
    [
      { role: 'system', content: 'be' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ],
    'user',
    [
      { role: 'system', content: 'be' },
      { role: 'user', content: 'hi' },
    ],
  ],
  [
    'OpenAI tool call',
    [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"bees"}' } }],
      },
    ],
    'user',
    [{ role: 'assistant', content: '', toolCalls: [call] }],
  ],
  [
    'OpenAI responses',
    [
      { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{"q":"bees"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'three' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
    ],
    'user',
    [
      { role: 'assistant', toolCalls: [call] },
      { role: 'tool', content: 'three', toolCallId: 'c1' },
      { role: 'assistant', content: 'ok' },
    ],
  ],
  [
    'Anthropic blocks',
    [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'let me' },
          { type: 'tool_use', id: 'c1', name: 'find', input: { q: 'bees' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'three' }] }],
      },
    ],
    'user',
    [
      { role: 'assistant', content: 'let me', toolCalls: [call] },
      { role: 'tool', content: 'three', toolCallId: 'c1' },
    ],
  ],
  [
    'OTel parts',
    [{ role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { n: 3 } }] }],
    'user',
    [{ role: 'tool', content: '{"n":3}', toolCallId: 'c1' }],
  ],
  [
    'a call with its answer in one message',
    [
      {
        role: 'assistant',
        parts: [
          { type: 'tool_call', id: 'c1', name: 'find', arguments: { q: 'bees' } },
          { type: 'tool_call_response', id: 'c1', response: 3 },
        ],
      },
    ],
    'user',
    [{ role: 'assistant', toolCalls: [{ ...call, result: 3 }] }],
  ],
  [
    'Vercel parts',
    [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { q: 'bees' } }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'find', output: { type: 'json', value: { n: 3 } } },
        ],
      },
    ],
    'user',
    [
      { role: 'assistant', toolCalls: [call] },
      { role: 'tool', content: '{"n":3}', toolCallId: 'c1', name: 'find' },
    ],
  ],
  [
    'Gemini parts',
    [{ role: 'model', parts: [{ text: 'hi' }, { functionCall: { name: 'find', args: { q: 'bees' } } }] }],
    'user',
    [{ role: 'assistant', content: 'hi', toolCalls: [{ ...call, id: null }] }],
  ],
  [
    'LangChain constructors, batched',
    [
      [
        lc('HumanMessage', { content: 'hi' }),
        lc('AIMessage', {
          content: '',
          name: 'bot',
          tool_calls: [{ name: 'find', args: { q: 'bees' }, id: 'c1', type: 'tool_call' }],
        }),
        lc('ToolMessage', { content: 'three', tool_call_id: 'c1' }),
      ],
    ],
    'user',
    [
      { role: 'user', content: 'hi' },
      { role: 'assistant', name: 'bot', toolCalls: [call] },
      { role: 'tool', content: 'three', toolCallId: 'c1' },
    ],
  ],
  [
    'LangChain dictionaries',
    {
      messages: [
        { type: 'human', content: 'hi' },
        { type: 'ai', data: { content: 'yo' } },
      ],
    },
    'user',
    [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yo' },
    ],
  ],
  ['a missing role', [{ content: 'yes' }], 'assistant', [{ role: 'assistant', content: 'yes' }]],
  ['numbers and nulls', [1, null, true], 'user', []],
];

describe('readMessages', () => {
  test.each(rows)('%s', (_, value, role, expected) => {
    expect(readMessages(value, role)).toMatchObject(expected);
    expect(readMessages(value, role)).toHaveLength(expected.length);
  });

  test('a call in both content and list is read once', () => {
    const [message] = readMessages({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }],
      tool_calls: [{ id: 'c1', name: 'find', args: {} }],
    });
    expect(message?.toolCalls).toHaveLength(1);
  });
});

test.each<[string, Json, boolean]>([
  ['chat messages', [{ role: 'user', content: 'x' }], true],
  ['a LangChain message', lc('HumanMessage', { content: 'x' }), true],
  ['another LangChain object', lc('PromptTemplate', { template: 'x' }), false],
  ['a state', { next: 'writer', visits: 1 }, false],
  ['a list of rows', [{ id: 1, type: 'row' }], false],
  ['words', 'hello', false],
])('looksLikeMessages: %s', (_, value, expected) => {
  expect(looksLikeMessages(value)).toBe(expected);
});
