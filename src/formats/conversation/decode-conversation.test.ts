import { describe, expect, test } from 'vitest';
import type { ConversationFormat } from '../../core/conversation.ts';
import type { Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { conversationFormatOf, decodeConversation } from './decode-conversation.ts';
import { readTurns, type Turn } from './read-turns.ts';

const NOW = Date.UTC(2026, 0, 15);
const models = createModelCatalog();

function read(format: ConversationFormat, data: Json): { trace: Trace; turns: Turn[]; rejected: string[] } {
  const { spans, rejections } = decodeConversation(format, data, NOW);
  const trace = buildTrace(spans, { models, isSettled: true });
  return { trace, turns: readTurns(trace, spans), rejected: rejections.map(({ pointer }) => pointer) };
}

/** `role participant: content -> called tools`, with the step's kind and agent if an agent acted. */
function outline(format: ConversationFormat, data: Json): string[] {
  const { trace, turns } = read(format, data);
  return turns.map(({ turn, role, participant, content, toolCalls }) => {
    const { kind, agent } = trace.steps[turn]!;
    const calls = toolCalls.map(({ name, arguments: given }) => `${name}${JSON.stringify(given)}`).join(' ');
    return `${kind}${agent === null ? '' : ` by ${agent}`} | ${role} ${participant}: ${content}${calls && ` -> ${calls}`}`;
  });
}

const LOOK = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"shelf"}' } };
const SHOP: Json = [
  { role: 'developer', content: 'You answer for a shop.' },
  { role: 'user', name: 'ida', content: 'Have you kettles?' },
  { role: 'assistant', content: null, refusal: null, tool_calls: [LOOK] },
  { role: 'tool', tool_call_id: 'call_1', content: '{"kettles":3}' },
];
const SHOP_LINES = [
  'message | developer developer: You answer for a shop.',
  'message | user ida: Have you kettles?',
  'llm by assistant | assistant assistant:  -> look{"at":"shelf"}',
  'tool by assistant | tool look: {"kettles":3} -> look{"at":"shelf"}',
];
const ANSWER: Json = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_768_478_400,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Three.', refusal: null }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 60, completion_tokens: 2, total_tokens: 62, prompt_tokens_details: { cached_tokens: 40 } },
};
const ANSWERED = [...SHOP_LINES, 'llm by assistant | assistant assistant: Three.'];

describe('OpenAI messages', () => {
  test.each<[string, Json, string[]]>([
    ['bare', SHOP, SHOP_LINES],
    ['under messages', { messages: SHOP }, SHOP_LINES],
    ['in a request with its response', { request: { model: 'gpt-4o', messages: SHOP }, response: ANSWER }, ANSWERED],
    [
      'as a batch wraps them',
      { request: { body: { messages: SHOP } }, response: { status_code: 200, body: ANSWER } },
      ANSWERED,
    ],
    ['joined with the response', { messages: SHOP, ...ANSWER }, ANSWERED],
    ['the response alone', ANSWER, ['llm by assistant | assistant assistant: Three.']],
    [
      'calls in the older format',
      [
        { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"at":' } },
        { role: 'function', name: 'look', content: 'nothing' },
      ],
      [
        'llm by assistant | assistant assistant:  -> look"{\\"at\\":"',
        'tool by assistant | function look: nothing -> look"{\\"at\\":"',
      ],
    ],
    [
      'parts of all kinds',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
            { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
            { type: 'file', file: { filename: 'bill.pdf', file_data: 'AA' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }] },
        { role: 'assistant', content: null, refusal: 'No.' },
        { role: 'assistant', content: null, audio: { id: 'a', transcript: 'Spoken.' } },
      ],
      [
        'message | user user: See\n[image]\n[audio]\n[file bill.pdf]',
        'llm by assistant | assistant assistant: I cannot.',
        'llm by assistant | assistant assistant: No.',
        'llm by assistant | assistant assistant: [audio] Spoken.',
      ],
    ],
    [
      'the responses API',
      {
        request: {
          model: 'gpt-5',
          instructions: 'Be short.',
          input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
        },
        response: {
          object: 'response',
          status: 'completed',
          output: [
            { type: 'reasoning', summary: [] },
            { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
            { type: 'function_call_output', call_id: 'c1', output: 'three' },
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Three.' }] },
          ],
        },
      },
      [
        'message | system system: Be short.',
        'message | user user: Hi',
        'llm by assistant | assistant assistant:  -> look{}',
        'tool by assistant | tool look: three -> look{}',
        'llm by assistant | assistant assistant: Three.',
      ],
    ],
    ['a text as input', { model: 'gpt-5', input: 'Hi' }, ['message | user user: Hi']],
    [
      'results of two calls in reverse order',
      [
        {
          role: 'assistant',
          content: '',
          tool_calls: [LOOK, { ...LOOK, id: 'call_2', function: { name: 'weigh', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_2', content: '2 kg' },
        { role: 'tool', tool_call_id: 'call_1', content: 'a kettle' },
      ],
      [
        'llm by assistant | assistant assistant:  -> look{"at":"shelf"} weigh{}',
        'tool by assistant | tool weigh: 2 kg -> weigh{}',
        'tool by assistant | tool look: a kettle -> look{"at":"shelf"}',
      ],
    ],
  ])('%s', (_name, data, lines) => {
    expect(outline('chat-completions-a', data)).toEqual(lines);
    expect(conversationFormatOf(data) ?? 'chat-completions-a').toBe('chat-completions-a');
  });

  test('a response has model, tokens and finish reason', () => {
    const { trace, turns } = read('chat-completions-a', {
      request: { model: 'gpt-4o', messages: SHOP },
      response: ANSWER,
    });
    const last = trace.steps.at(-1)!;
    expect(last).toMatchObject({
      model: 'gpt-4o-2024-08-06',
      finishReasons: ['stop'],
      tokens: { input: 60, output: 2, cacheRead: 40 },
    });
    expect(last.startMs).toBe(1_768_478_400_000);
    expect(turns.map(({ tokens, areTokensEstimated }) => [tokens > 0, areTokensEstimated])).toEqual([
      ...Array(4).fill([true, true]),
      [true, false],
    ]);
    expect(turns.at(-1)).toMatchObject({
      tokens: 2,
      accumulatedTokens: turns.reduce((sum, { tokens }) => sum + tokens, 0),
    });
    expect(trace).toMatchObject({
      task: 'Have you kettles?',
      finalOutput: 'Three.',
      status: 'ok',
      name: 'conversation',
    });
  });

  test('offered tools are read', () => {
    const tools = [
      { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
    ];
    expect(read('chat-completions-a', { messages: SHOP, tools }).trace.toolDefinitions.map(({ name }) => name)).toEqual(
      ['look'],
    );
  });
});

describe('Anthropic messages', () => {
  const question: Json[] = [
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } },
        { type: 'text', text: 'Like this.' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'x' },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'search', input: { rooms: 2 } },
        { type: 'tool_use', id: 'toolu_2', name: 'map', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: 'no map' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: 'none' },
            { type: 'image', source: {} },
          ],
        },
        { type: 'text', text: 'And?' },
      ],
    },
  ];
  const request: Json = {
    model: 'claude-sonnet-4-5',
    system: [{ type: 'text', text: 'You find flats.', cache_control: { type: 'ephemeral' } }],
    messages: question,
  };
  const lines = [
    'message | system system: You find flats.',
    'message | user user: [image]\nLike this.',
    'llm by assistant | assistant assistant: I look. -> search{"rooms":2} map{}',
    'tool by assistant | tool map: no map -> map{}',
    'tool by assistant | tool search: none\n[image] -> search{"rooms":2}',
    'message | user user: And?',
  ];
  const response: Json = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: 'text', text: 'None is free.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 4 },
  };
  const modelLine = 'llm by assistant | assistant assistant: None is free.';

  test.each<[string, Json, string[]]>([
    ['a request', request, lines],
    ['bare', question, lines.slice(1)],
    ['with its response', { request, response }, [...lines, modelLine]],
    ['the response alone', response, [modelLine]],
    [
      'a system prompt as text',
      { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] },
      ['message | system system: Be kind.', 'message | user user: Hi'],
    ],
    [
      'the result of a provider tool is between the texts',
      [
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'park' } },
            { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'text', text: 'a park' }] },
            { type: 'text', text: 'There is one.' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'document', title: 'Lease', source: {} },
            { type: 'tool_use', id: 'x', name: 'y', input: {} },
          ],
        },
      ],
      [
        'llm by assistant | assistant assistant:  -> web_search{"query":"park"}',
        'tool by assistant | tool web_search: a park -> web_search{"query":"park"}',
        'llm by assistant | assistant assistant: There is one.',
        'message | user user: [document Lease]',
      ],
    ],
  ])('%s', (_name, data, expected) => {
    expect(outline('chat-completions-b', data)).toEqual(expected);
    expect(conversationFormatOf(data)).toBe('chat-completions-b');
  });

  test('cached tokens count as input, and an error result fails its call', () => {
    const { trace } = read('chat-completions-b', { request, response });
    expect(trace.steps.at(-1)?.tokens).toMatchObject({ input: 105, output: 4, cacheRead: 90, cacheWrite: 5 });
    expect(trace.steps.map(({ status }) => status).indexOf('error')).toBe(3);
    expect(trace.status).toBe('ok');
  });

  test('a run that ends in a failed call failed', () => {
    const messages = [
      ...question.slice(0, 2),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: 'boom' }] },
    ];
    expect(read('chat-completions-b', messages).trace.status).toBe('error');
  });
});

describe('plain turns', () => {
  test('unknown roles are agents', () => {
    const turns: Json[] = [
      { role: 'assistant', content: 'Hello, how can I help?', timestamp: '2026-01-01T10:00:00Z' },
      { role: 'Human', name: 'Ida', content: 'A refund.', timestamp: 1_767_261_605 },
      { role: 'planner', content: 'I plan.', tokens: 9, timestamp: '2026-01-01T09:00:00Z' },
      { role: 'agent', name: 'writer', content: 'I write.' },
    ];
    expect(outline('generic', { turns })).toEqual([
      'llm by assistant | assistant assistant: Hello, how can I help?',
      'message | Human Ida: A refund.',
      'llm by planner | planner planner: I plan.',
      'llm by writer | agent writer: I write.',
    ]);
    const { trace, turns: readTurns } = read('generic', { turns });
    expect(readTurns.map(({ atMs }) => atMs && new Date(atMs).toISOString())).toEqual([
      '2026-01-01T10:00:00.000Z',
      '2026-01-01T10:00:05.000Z',
      null,
      null,
    ]);
    expect(readTurns[2]).toMatchObject({ tokens: 9, areTokensEstimated: false });
    expect(trace).toMatchObject({ task: 'A refund.', finalOutput: 'I write.' });
  });
});

test('instructions are not the answer of a conversation that ends with a tool result', () => {
  const messages: Json[] = [
    { role: 'system', content: 'You are a clerk.' },
    { role: 'user', content: 'Which train is cheapest?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_fare', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: '99' },
  ];
  expect(read('chat-completions-a', { messages }).trace.finalOutput).toBeNull();
});

const METAGPT = `=== MetaGPT Agent Communication Log - Started at 2025-03-31 12:53:42 ===

[2025-03-31 12:53:42] FROM: Human TO: {'<all>'}
ACTION: metagpt.actions.add_requirement.UserRequirement
CONTENT:
Write a function that finds palindromes.
${'-'.repeat(80)}

[2025-03-31 12:54:14] NEW MESSAGES:

SimpleCoder: 
def is_palindrome(text):
    return text == text[::-1]
${'-'.repeat(80)}

=== Communication Log Ended at 2025-03-31 12:55:09 ===`;
const CHATDEV = `[2025-17-01 11:36:43 INFO] **[Preprocessing]**

**task_prompt**: Write a game of draughts.

[2025-17-01 11:36:44 INFO] System: **[chatting]**
[2025-17-01 11:36:46 INFO] Chief Product Officer: **Chief Product Officer<->Chief Executive Officer on : DemandAnalysis, turn 0**

A desktop program.
[2025-17-01 11:36:47 INFO] HTTP Request: POST https://api.openai.com/v1/chat/completions "HTTP/1.1 200 OK"
[2025-17-01 11:36:48 INFO] Programmer: **Programmer<->Code Reviewer on : Coding, turn 1**

print(1)

print(2)`;

describe('MAST trace records', () => {
  test.each<[string, Json, string | null, string[]]>([
    [
      'AG2 as Python prints its messages',
      "{'content': ['Solve it.', '', 'Problem:', \"What is Ida's sum of {2} and 2?\"], 'role': 'assistant', 'name': 'mathproxyagent'}{'content': ['It is 4.'], 'role': 'user', 'name': 'assistant'}",
      "What is Ida's sum of {2} and 2?",
      [
        "message by mathproxyagent | assistant mathproxyagent: Solve it.\n\nProblem:\nWhat is Ida's sum of {2} and 2?",
        'llm by assistant | user assistant: It is 4.',
      ],
    ],
    [
      'AG2 as a list',
      [
        { content: ['Solve.'], role: 'assistant', name: 'mathproxyagent' },
        { content: 'Done.', role: 'user', name: 'assistant' },
      ],
      'Solve.',
      ['message by mathproxyagent | assistant mathproxyagent: Solve.', 'llm by assistant | user assistant: Done.'],
    ],
    [
      'AG2 as indented text',
      'instance: 7\n      content:\n            Solve\n            this.\n      role: assistant\n      name: mathproxyagent\n      content:\n            Done.\n      role: user\n      name: assistant\n',
      'Solve\nthis.',
      [
        'message by mathproxyagent | assistant mathproxyagent: Solve\nthis.',
        'llm by assistant | user assistant: Done.',
      ],
    ],
    [
      'AG2 on the console',
      `user_proxy (to planner):\n\nPlan it.\n\n${'-'.repeat(80)}\nplanner (to user_proxy):\n\nPlanned.\n`,
      'Plan it.',
      ['message by user_proxy | user user_proxy: Plan it.', 'llm by planner | assistant planner: Planned.'],
    ],
    [
      'MetaGPT',
      METAGPT,
      'Write a function that finds palindromes.',
      [
        'message | user Human: Write a function that finds palindromes.',
        'llm by SimpleCoder | assistant SimpleCoder: def is_palindrome(text):\n    return text == text[::-1]',
      ],
    ],
    [
      'ChatDev',
      CHATDEV,
      'Write a game of draughts.',
      [
        'llm by Chief Product Officer | assistant Chief Product Officer: A desktop program.',
        'llm by Programmer | assistant Programmer: print(1)\n\nprint(2)',
      ],
    ],
    [
      'HyperAgent',
      "HyperAgent_x - INFO - Initialized tools\nHyperAgent_x - INFO - Planner's Response: Look\nat it.\nHyperAgent_x - INFO - Inner-Navigator-Assistant's Response: I look.",
      null,
      [
        'message | system system: Initialized tools',
        "llm by Planner | assistant Planner: Planner's Response: Look\nat it.",
        "llm by Inner-Navigator | assistant Inner-Navigator: Inner-Navigator-Assistant's Response: I look.",
      ],
    ],
    [
      'Magentic-One',
      'SCENARIO.PY STARTING !#!#\n---------- user ----------\nWho won?\n---------- WebSurfer ----------\nThe blue ones.\nSCENARIO.PY COMPLETE !#!#\nbye',
      'Who won?',
      ['message | user user: Who won?', 'llm by WebSurfer | assistant WebSurfer: The blue ones.'],
    ],
    [
      'OpenManus',
      "2025-03-31 10:00:01.123 | INFO     | app.agent.toolcall:think:81 - ✨ Manus's thoughts: I write it.\n2025-03-31 10:00:02.000 | INFO     | app.agent.toolcall:act:150 - 🎯 Tool 'python' completed its mission! Result: ok\n",
      null,
      ['llm by Manus | assistant Manus: I write it.', 'message by python | tool python: ok'],
    ],
    [
      'AppWorld',
      'Response from Supervisor Agent\nprint(1)\n\nCode Execution Output\n\n1\n\nEntering spotify Agent message loop\nResponse from spotify Agent\nDone.',
      null,
      [
        'llm by Supervisor | assistant Supervisor: print(1)',
        'message by environment | tool environment: 1',
        'llm by spotify | assistant spotify: Done.',
      ],
    ],
    [
      'a log of an unknown kind as one turn',
      'whatever happened',
      null,
      ['llm by Other | assistant Other: whatever happened'],
    ],
  ])('%s', (_name, trajectory, task, lines) => {
    const record = {
      mas_name: 'Other',
      llm_name: 'gpt-4o',
      benchmark_name: 'GSM',
      trace_id: 3,
      trace: { key: 'k', index: 3, trajectory },
      mast_annotation: { '1.1': 1 },
    };
    expect(outline('taxonomy-data', record)).toEqual(lines);
    expect(read('taxonomy-data', record).trace.task).toBe(task);
    expect(conversationFormatOf(record)).toBe('taxonomy-data');
    const bare = {
      mas_name: 'Other',
      round: 'Round 1',
      trace_id: 3,
      trace: typeof trajectory === 'string' ? trajectory : JSON.stringify(trajectory),
      annotations: [],
    };
    expect(outline('taxonomy-data', bare)).toEqual(lines);
  });

  test('annotations are not read', () => {
    const record = {
      mas_name: 'AG2',
      trace_id: 1,
      trace: [{ content: 'x', role: 'user', name: 'assistant' }],
      mast_annotation: { '3.3': 'GOLD' },
    };
    expect(
      JSON.stringify(decodeConversation('taxonomy-data', record, NOW).spans, (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
    ).not.toContain('GOLD');
  });

  test('the same trace number in two benchmarks gives two traces', () => {
    const of = (benchmark_name: string) =>
      read('taxonomy-data', { mas_name: 'AG2', benchmark_name, trace_id: 1, trace: 'said' }).trace.traceId;
    expect(of('GSM')).not.toBe(of('MMLU'));
    expect(of('GSM')).toBe(of('GSM'));
  });
});

describe('unreadable items', () => {
  test.each<[string, ConversationFormat, Json, number, string[]]>([
    [
      'items of other kinds',
      'chat-completions-a',
      [1, null, { role: 'user', content: 'Hi' }, []],
      1,
      ['/0', '/1', '/3'],
    ],
    ['an unknown role', 'chat-completions-a', [{ role: 'wizard', content: 'Hi' }], 0, ['/0/role']],
    ['content that is a number', 'chat-completions-b', [{ role: 'user', content: 4 }], 0, ['/0/content']],
    [
      'parts without a text',
      'chat-completions-b',
      [{ role: 'user', content: [{}, { type: 'text', text: 'Hi' }] }],
      1,
      ['/0/content/0'],
    ],
    [
      'calls without a name',
      'chat-completions-a',
      [{ role: 'assistant', content: 'Hm', tool_calls: [{ id: 'x' }] }],
      1,
      ['/0/tool_calls/0'],
    ],
    [
      'a response without a message',
      'chat-completions-a',
      { messages: [{ role: 'user', content: 'Hi' }], response: { choices: [] } },
      1,
      ['/response/choices/0/message'],
    ],
    ['turns that are not a list', 'generic', { turns: 'Hi' }, 0, ['/turns']],
    [
      'messages of a trajectory',
      'taxonomy-data',
      { trace: { trajectory: [7, { role: 'user', content: 'Hi' }] } },
      1,
      ['/trace/trajectory/0'],
    ],
    ['a log of an unknown kind, kept as one turn', 'taxonomy-data', { trace: 'said' }, 1, ['/trace']],
  ])('%s', (_name, format, data, kept, pointers) => {
    const { turns, rejected } = read(format, data);
    expect(rejected).toEqual(pointers);
    expect(turns).toHaveLength(kept);
  });

  test.each<[string, Json]>([
    ['a text', 'Hi'],
    ['spans', { spans: [] }],
    ['an empty list', []],
    ['a list of numbers', [1, 2]],
    ['messages without roles', { messages: [{ text: 'Hi' }] }],
    ['one message', { role: 'user', content: 'Hi' }],
  ])('%s is not recognized as a conversation', (_name, value) => {
    expect(conversationFormatOf(value)).toBeNull();
  });
});
