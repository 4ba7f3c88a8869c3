import { describe, expect, it } from 'vitest';
import { logsJson, logsProtobuf, type SentLog, type SentLogs } from '../../../test/support/log-bodies.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import { decodeHook } from '../hooks/decode-hook.ts';
import { sessionTraceId } from '../hooks/session-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { decodeLogsJson } from '../otlp/decode-logs-json.ts';
import { decodeLogsProtobuf } from '../otlp/decode-logs-protobuf.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeAgentEvents } from './decode-agent-events.ts';

const NOW = 1_800_000_000_000;
const SCOPE = 'com.anthropic.claude_code.events';
const event = (name: string, second: number, attributes: SentLog['attributes'] = {}): SentLog => ({
  atMs: NOW + second * 1000,
  body: `claude_code.${name}`,
  attributes: { 'session.id': 's-1', 'event.name': name, 'event.sequence': second, ...attributes },
});
const SESSION: SentLog[] = [
  event('user_prompt', 1, { prompt: 'Fix the oven test', prompt_length: 18, 'prompt.id': 'p1' }),
  event('api_request', 3, {
    model: 'claude-sonnet-4-5',
    input_tokens: '10',
    cache_read_tokens: 1000,
    cache_creation_tokens: 100,
    output_tokens: 5,
    cost_usd: 0.02,
    duration_ms: '1500',
    request_id: 'req_1',
  }),
  event('tool_decision', 4, { tool_name: 'Bash', decision: 'accept', source: 'config' }),
  event('tool_result', 5, {
    tool_name: 'Bash',
    success: 'false',
    error: 'exit 1',
    duration_ms: 800,
    tool_use_id: 'toolu_1',
    tool_parameters: '{"bash_command":"npm test"}',
  }),
  event('tool_decision', 6, { tool_name: 'Write', decision: 'reject', source: 'user_reject' }),
  event('api_error', 7, { model: 'claude-sonnet-4-5', error: 'Overloaded', status_code: 529, duration_ms: 30 }),
];
const sent = (records: readonly SentLog[], more: Partial<SentLogs> = {}) => ({
  serviceName: 'claude-code',
  scope: SCOPE,
  records,
  ...more,
});
const decode = (records: readonly SentLog[], more = {}) =>
  decodeAgentEvents(decodeLogsJson(logsJson(sent(records, more))).records, NOW);

describe('the events of a session', () => {
  const { rejections, ignored, ...decoded } = decode(SESSION);
  const spans = mergeSpans(decoded.spans);

  it('are spans of its trace', () => {
    expect({ rejections, ignored }).toEqual({ rejections: [], ignored: 0 });
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([sessionTraceId('s-1')]));
    expect(spans.map((span) => [span.name, span.status.code])).toEqual([
      ['prompt', 0],
      ['claude-code', 0],
      ['chat', 0],
      ['Bash', 2],
      ['Write', 2],
      ['chat', 2],
    ]);
  });

  it('count tokens with those of the cache, and keep cost, duration and errors', () => {
    const [, , chat, bash, write, failed] = spans;
    expect(chat!.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 1110,
      'gen_ai.usage.output_tokens': 5,
      'misstep.cost_usd': 0.02,
    });
    expect(chat!.endNs! - chat!.startNs).toBe(1_500_000_000n);
    expect(bash).toMatchObject({ status: { message: 'exit 1' }, attributes: { 'error.type': 'tool_error' } });
    expect(write!.attributes['error.type']).toBe('permission_denied');
    expect(failed).toMatchObject({ status: { message: 'Overloaded' }, attributes: { 'error.type': '529' } });
  });

  it('are read as steps of an agent with a task', () => {
    const trace = buildTrace(spans, { models: createModelCatalog(), isSettled: false });
    expect(trace).toMatchObject({
      task: 'Fix the oven test',
      framework: 'claude-code',
      status: 'error',
      codingSession: { endedBy: 'api_error' },
    });
    expect(trace.steps.map((step) => step.kind)).toEqual(['agent', 'message', 'llm', 'tool', 'tool', 'llm']);
  });

  it('are the same in protobuf', () => {
    const { records } = decodeLogsProtobuf(logsProtobuf(sent(SESSION)));
    expect(decodeAgentEvents(records, NOW)).toEqual(decode(SESSION));
  });

  it('are recognized by their own event name', () => {
    const named = SESSION.map(({ body, ...record }) => ({ ...record, eventName: body }));
    expect(decode(named, { serviceName: 'x', scope: 'y' }).spans).toEqual(decoded.spans);
  });

  it('are merged with the hooks of the same prompt and tool', () => {
    const base = { session_id: 's-1', transcript_path: '/x/.claude/a', cwd: '/w' };
    const hooks = [
      { ...base, hook_event_name: 'UserPromptSubmit', prompt: 'Fix the oven test', prompt_id: 'p1' },
      {
        ...base,
        hook_event_name: 'PostToolUseFailure',
        tool_name: 'Bash',
        tool_input: { command: 'npm test' },
        tool_use_id: 'toolu_1',
        error: 'exit 1: 2 failed',
      },
    ].flatMap((record, at) => decodeHook(record, NOW + 900 + at * 4000).spans);
    for (const both of [
      [...hooks, ...spans],
      [...spans, ...hooks],
    ]) {
      const merged = mergeSpans(both);
      expect(merged).toHaveLength(spans.length);
      expect(merged.find((span) => span.name === 'Bash')!.attributes).toHaveProperty('gen_ai.tool.call.arguments');
    }
  });
});

describe('the end of a session that only has events', () => {
  const prompt = event('user_prompt', 1, { prompt: 'Add.', 'prompt.id': 'p1' });
  const request = (second: number, source = 'repl_main_thread') =>
    event('api_request', second, { query_source: source });
  const response = (second: number, response: string) =>
    event('assistant_response', second, { response, query_source: 'repl_main_thread', 'prompt.id': 'p1' });
  it.each<[string, SentLog[], object]>([
    ['it runs', [prompt, request(2)], { status: 'running', codingSession: { endedBy: 'unknown' } }],
    [
      'the last answer ends it',
      [prompt, request(2), response(3, 'Done.')],
      { status: 'ok', finalOutput: 'Done.', codingSession: { endedBy: 'completed' } },
    ],
    [
      'text before another request does not end it',
      [prompt, request(2), response(3, 'I look.'), request(4)],
      { status: 'running', codingSession: { endedBy: 'unknown' } },
    ],
    [
      'a request for a title does not open it again',
      [prompt, request(2), response(3, 'Done.'), request(4, 'generate_session_title')],
      { status: 'ok', codingSession: { endedBy: 'completed' } },
    ],
    [
      'a redacted answer ends it',
      [prompt, request(2), response(3, '<REDACTED>')],
      { status: 'ok', codingSession: { endedBy: 'completed' } },
    ],
    [
      'a refusal by the user ends it',
      [
        prompt,
        request(2),
        event('tool_decision', 3, { tool_name: 'Write', decision: 'reject', source: 'user_reject' }),
      ],
      { codingSession: { endedBy: 'refused' } },
    ],
    [
      'an error of the API ends it',
      [prompt, request(2), event('api_error', 3, { status_code: 529 })],
      { codingSession: { endedBy: 'api_error' } },
    ],
  ])('%s', (_, records, expected) => {
    const trace = buildTrace(mergeSpans(decode(records).spans), { models: createModelCatalog(), isSettled: false });
    expect(trace).toMatchObject({ name: 'Add.', ...expected });
  });

  it('merges the answer with that of its hook', () => {
    const stop = { session_id: 's-1', hook_event_name: 'Stop', prompt_id: 'p1', last_assistant_message: 'Done.' };
    const both = [...decode([response(3, 'Done.')]).spans, ...decodeHook(stop, NOW + 3_500).spans];
    expect(mergeSpans(both).map(({ name }) => name)).toEqual(['answer', 'claude-code']);
  });

  it('keeps outcomes and the party that refused', () => {
    const [result, refusal] = decode([
      event('tool_result', 1, {
        tool_name: 'Bash',
        success: 'true',
        tool_parameters: '{"bash_command":"npm","full_command":"npm test"}',
      }),
      event('tool_decision', 2, { tool_name: 'Write', decision: 'reject', source: 'config' }),
    ]).spans;
    expect(result!.attributes).toMatchObject({
      'misstep.tool.is_error': false,
      'gen_ai.tool.call.arguments': '{"command":"npm test"}',
    });
    expect(refusal!.attributes).toMatchObject({ 'misstep.refused_by': 'policy' });
  });
});

describe('a redacted prompt', () => {
  it.each([undefined, '<REDACTED>'])('is a step without text: %s', (prompt) => {
    const [span] = decode([event('user_prompt', 1, prompt === undefined ? {} : { prompt })]).spans;
    expect(span!.attributes).not.toHaveProperty('misstep.task');
    expect(span!.attributes).not.toHaveProperty('gen_ai.output.messages');
  });
});

describe('other records', () => {
  it.each<[string, SentLog, object, object]>([
    ['of another program are ignored', event('user_prompt', 1), { serviceName: 'shop', scope: 'shop' }, { spans: 2 }],
    [
      'of another program without the prefix are ignored',
      { atMs: NOW, attributes: { 'event.name': 'user_prompt', 'session.id': 's' } },
      { serviceName: 'shop', scope: 'shop' },
      { ignored: 1 },
    ],
    ['of an event without a step are ignored', event('mcp_server_connection', 1), {}, { ignored: 1 }],
    [
      'without a session are refused',
      { atMs: NOW, body: 'claude_code.user_prompt', attributes: {} },
      {},
      { rejections: ['/resourceLogs/0/scopeLogs/0/logRecords/0/attributes'] },
    ],
  ])('%s', (_title, record, more, expected) => {
    const { spans, rejections, ignored } = decode([record], more);
    expect({ spans: spans.length, ignored, rejections: rejections.map(({ pointer }) => pointer) }).toEqual({
      spans: 0,
      ignored: 0,
      rejections: [],
      ...expected,
    });
  });

  it('with an unreadable time are rejected alone', () => {
    const good = { timeUnixNano: '1', attributes: [] };
    const body = (...logRecords: unknown[]) => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }, 3] });
    const { records, rejections } = decodeLogsJson(body(good, { timeUnixNano: 'noon' }, 7, { eventName: 4 }));
    expect(records).toHaveLength(1);
    expect(rejections.map(({ pointer }) => pointer)).toEqual([
      '/resourceLogs/1',
      '/resourceLogs/0/scopeLogs/0/logRecords/2',
      '/resourceLogs/0/scopeLogs/0/logRecords/1/timeUnixNano',
      '/resourceLogs/0/scopeLogs/0/logRecords/3/eventName',
    ]);
  });

  it('keep every digit of a numeric time', () => {
    const { records } = decodeLogsJson(
      '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":1800000000000000001}]}]}]}',
    );
    expect(records[0]!.timeNs).toBe(1_800_000_000_000_000_001n);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no list', '{"resourceLogs":{}}'],
  ])('are rejected together: %s', (_t, body) => {
    expect(() => decodeLogsJson(body)).toThrow();
  });

  it('in broken protobuf are rejected together', () => {
    expect(() => decodeLogsProtobuf(Buffer.from([0x0a, 0x05, 0x01]))).toThrow(/protobuf/);
  });
});

it.each<[string, SentLogs['resource'], string | null]>([
  ['is in the resource', { 'process.working_directory': '/tmp/bakery' }, '/tmp/bakery'],
  ['is unknown if no attribute names it', {}, null],
  ['is not a relative path', { 'process.working_directory': 'bakery' }, null],
])('the folder of a session %s', (_title, resource, expected) => {
  const { spans } = decode(SESSION, { resource });
  const trace = buildTrace(mergeSpans(spans), { models: createModelCatalog(), isSettled: true });
  expect(trace.codingSession?.project ?? null).toBe(expected);
  expect(trace.steps.map(({ workingDirectory }) => workingDirectory)).toEqual(trace.steps.map(() => expected));
});
