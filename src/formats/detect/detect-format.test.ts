import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../core/app-error.ts';
import { type DetectOptions, decodeAny } from './detect-format.ts';

const NOW = 1_800_000_000_000;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const read = (body: string | Buffer, options: Partial<DetectOptions> = {}) =>
  decodeAny(Buffer.from(body as string), { receivedAtMs: NOW, ...options });
const json = JSON.stringify;

const otlpSpan = (spanId: string) => ({
  traceId: TRACE,
  spanId,
  name: 'chat',
  kind: 3,
  startTimeUnixNano: '1795220422376000001',
  endTimeUnixNano: '1795220422376000002',
});
const otlp = (...spanIds: string[]) => json({ resourceSpans: [{ scopeSpans: [{ spans: spanIds.map(otlpSpan) }] }] });
const record = (id: string) =>
  json({ id, kind: 'trace', steps: [{ kind: 'llm', agent: 'a', name: 'a', input: '', output: 'hi' }] });
const hook = (fields: object) => json({ session_id: 's', ...fields });
const own = json({ format: 'misstep.span/1', traceId: 't', spanId: 's', name: 'x', startNs: '1', endNs: '2' });
const trail = json({ trace_id: 't', spans: [{ span_id: 'a', timestamp: '2026-01-01T00:00:00Z', child_spans: [] }] });
const plain = json({
  trace_id: 't',
  spans: [
    { span_id: 'a', name: 'x', start_time: 1 },
    { span_id: 'b', name: 'y' },
  ],
});

const chat = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
];

const START = '2026-01-01T00:00:00Z';
const langSmithRun = { id: 'r', run_type: 'chain', name: 'x', start_time: START };
const serverRun = { run_id: 'r', assistant_id: 'a', status: 'success', created_at: START };
const checkpoint = { values: {}, next: [], tasks: [], created_at: START, checkpoint: { checkpoint_id: 'c' } };

/** `resource_spans { scope_spans { span { trace_id, span_id, name } } }`, field by field. */
function otlpProtobuf(): Buffer {
  const field = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([tag, body.length]), body]);
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(1_795_220_422_376_000_001n);
  const span = Buffer.concat([
    field(0x0a, Buffer.from(TRACE, 'hex')),
    field(0x12, Buffer.from('b7ad6b7169203331', 'hex')),
    field(0x2a, Buffer.from('chat')),
    Buffer.from([0x39]),
    time,
    Buffer.from([0x41]),
    time,
  ]);
  return field(0x0a, field(0x12, field(0x12, span)));
}

describe('a body is recognized by its shape', () => {
  test.each<[string, string | Buffer, string, number]>([
    ['OTLP JSON', otlp('b7ad6b7169203331'), 'otlp-json', 1],
    ['OTLP JSON, pretty-printed', json(JSON.parse(otlp('b7ad6b7169203331')), null, 2), 'otlp-json', 1],
    [
      'OTLP JSON lines',
      `${otlp('b7ad6b7169203331')}\n${otlp('b7ad6b7169203332', 'b7ad6b7169203333')}\n`,
      'otlp-json',
      3,
    ],
    ['OTLP protobuf', otlpProtobuf(), 'otlp-protobuf', 1],
    ['records as JSON lines', `${record('1')}\r\n\r\n${record('2')}`, 'records', 4],
    ['records in an array', `[${record('1')},${record('2')}]`, 'records', 4],
    ['one record with a byte order mark', `\ufeff${record('1')}`, 'records', 2],
    ['a TRAIL trace', trail, 'trail', 1],
    ['a hook call', hook({ hook_event_name: 'Stop' }), 'hooks', 1],
    ['our own spans', `${own}\n${own}`, 'misstep-spans', 2],
    ['plain spans', plain, 'plain-spans', 2],
    ['OpenAI messages', json({ model: 'm', messages: chat }), 'chat-completions-a', 2],
    ['bare messages', json(chat), 'chat-completions-a', 2],
    [
      'OpenAI messages as JSON lines',
      `${json({ messages: chat })}\n${json({ messages: chat.slice(1) })}`,
      'chat-completions-a',
      3,
    ],
    ['Anthropic messages', json({ system: 'Be kind.', messages: chat }), 'chat-completions-b', 3],
    ['plain turns', json({ turns: chat }), 'generic', 2],
    ['MAST records in an array', json([{ mas_name: 'AG2', trace_id: 1, trace: chat }]), 'taxonomy-data', 2],
    [
      'plain spans as JSON lines',
      `${json({ traceId: 't', id: 'a', name: 'x' })}\n${json({ traceId: 't', id: 'b', name: 'x' })}`,
      'plain-spans',
      2,
    ],
    ['an OpenAI Agents export', json({ data: [{ object: 'trace', id: 't' }] }), 'openai-agents', 1],
    ['a LangSmith run', json(langSmithRun), 'langsmith', 1],
    ['LangSmith runs in an array', json([langSmithRun]), 'langsmith', 1],
    ['a LangSmith run and its patch', `${json(langSmithRun)}\n${json(langSmithRun)}`, 'langsmith', 1],
    [
      'LangSmith runs as a form',
      `--b\r\nContent-Disposition: form-data; name="post.r"\r\n\r\n${json(langSmithRun)}\r\n--b--\r\n`,
      'langsmith',
      1,
    ],
    ['a LangGraph run', json(serverRun), 'langgraph-run', 1],
    ['LangGraph runs in an array', json([serverRun]), 'langgraph-run', 1],
    ['a LangGraph run as a stream', 'event: metadata\ndata: {"run_id":"r"}\n\n', 'langgraph-run', 1],
    ['a LangGraph thread', json([checkpoint]), 'langgraph-history', 1],
    ['the state of a LangGraph thread', json(checkpoint), 'langgraph-history', 1],
    ['two formats', `${own}\n${record('1')}`, 'mixed', 3],
    ['leading white space', `\n\n ${own}`, 'misstep-spans', 1],
  ])('%s', (_, body, format, spans) => {
    const decoded = read(body);
    expect({ format: decoded.format, spans: decoded.spans.length, rejections: decoded.rejections }).toEqual({
      format,
      spans,
      rejections: [],
    });
    const packed = read(gzipSync(gzipSync(body)));
    expect(packed).toEqual(decoded);
  });

  test('a number keeps all digits', () => {
    const body = otlp('b7ad6b7169203331').replaceAll('"1795220422376000001"', '1795220422376000001');
    expect(read(body).spans[0]!.startNs).toBe(1_795_220_422_376_000_001n);
    expect(read(`${body}\n${body}`).spans[1]!.startNs).toBe(1_795_220_422_376_000_001n);
  });

  test('decoding a body twice gives the same spans', () => {
    const body = `${record('1')}\n${hook({ hook_event_name: 'Stop' })}`;
    expect(read(body)).toEqual(read(body));
  });
});

describe('hook calls in one body', () => {
  const call = { tool_name: 'Bash', tool_input: {}, tool_use_id: 'u1' };
  test('are merged and keep their order without times', () => {
    const { spans } = read(
      [
        hook({ hook_event_name: 'SessionStart' }),
        hook({ hook_event_name: 'PreToolUse', ...call }),
        hook({ hook_event_name: 'PostToolUse', duration_ms: 5000, ...call }),
        hook({ hook_event_name: 'PostToolUse', duration_ms: 7000, ...call, tool_use_id: 'u2' }),
        hook({ hook_event_name: 'Stop', last_assistant_message: 'a' }),
        hook({ hook_event_name: 'Stop', last_assistant_message: 'a' }),
        hook({ hook_event_name: 'SessionEnd' }),
      ].join('\n'),
    );
    expect(spans.map(({ name }) => name)).toEqual(['claude-code', 'Bash', 'Bash', 'answer', 'answer']);
    const starts = spans.map(({ startNs }) => startNs);
    expect(starts).toEqual([...new Set(starts)].sort());
  });
});

describe('an invalid piece is rejected alone', () => {
  test.each<[string, string, number, string[]]>([
    ['a broken line', `${record('1')}\n{broken\n${record('2')}`, 4, ['line 2']],
    ['a broken first line', `{broken\n${record('2')}`, 2, ['line 1']],
    ['a line of another format', `${record('1')}\n{"a":1}\n[]`, 2, ['line 2', 'line 3']],
    ['an element of another format', `[${record('1')}, 7]`, 2, ['/1']],
    [
      'a bad step in a line',
      `${record('1')}\n${json({ id: 'x', steps: [1, { kind: 'llm' }] })}`,
      4,
      ['line 2/steps/0'],
    ],
    [
      'a bad span in OTLP lines',
      `${otlp('b7ad6b7169203331')}\n${otlp('')}`,
      1,
      ['line 2/resourceSpans/0/scopeSpans/0/spans/0/spanId'],
    ],
    [
      'a bad plain span',
      json({
        spans: [
          { trace_id: 't', span_id: 'a', name: 'x' },
          { span_id: 'b', name: 'y' },
        ],
      }),
      1,
      ['/spans/1'],
    ],
    [
      'a line nested too deep',
      `${record('1')}\n${hook({ hook_event_name: 'PostToolUse', tool_name: 'x' }).replace('}', `,"tool_input":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)}`,
      2,
      ['line 2'],
    ],
  ])('%s', (_, body, spans, pointers) => {
    const decoded = read(body);
    expect(decoded.spans).toHaveLength(spans);
    expect(decoded.rejections.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});

describe('a body that is rejected as a whole', () => {
  test.each<[string, string | Buffer, string, RegExp]>([
    ['nothing', '', 'malformed', /empty/],
    ['white space', ' \n ', 'malformed', /empty/],
    ['prose', 'hello there', 'malformed', /does not start like JSON.*OTLP/],
    ['random bytes', Buffer.from([0x9c, 0x00, 0xff, 0x17]), 'malformed', /Known formats/],
    ['another object', '{"prompt":"x","answer":2}', 'malformed', /keys prompt, answer/],
    ['an empty list', '[]', 'malformed', /Known formats/],
    ['broken JSON', '{"a":', 'malformed', /line 1/],
    ['broken gzip', Buffer.from([0x1f, 0x8b, 0x08, 0x00]), 'malformed', /gzip/],
    ['gzip in gzip in gzip', gzipSync(gzipSync(gzipSync(own))), 'malformed', /compressed/],
  ])('%s', (_, body, code, message) => {
    const error = failureOf(() => read(body));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('a stream of events nested too deep is rejected', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const error = failureOf(() => read(`event: metadata\ndata: {"run_id":"r"}\n\nevent: values\ndata: ${deep}\n\n`));
    expect(error.message).toMatch(/nested too deep/);
  });

  test('a body that would exhaust the memory when parsed is rejected', () => {
    const error = failureOf(() => read(`[${'{},'.repeat(8_100_000)}{}]`));
    expect(error.message).toMatch(/line 1 too large/);
  });

  test('a body that decompresses to too much is rejected', () => {
    const bomb = gzipSync(Buffer.alloc(2_000_000, 0x20));
    expect(failureOf(() => read(bomb, { maxUnpackedBytes: 1_000_000 })).code).toBe('payload_too_large');
  });

  test('a body of another format than requested is rejected', () => {
    expect(failureOf(() => read(own, { hint: 'records' })).code).toBe('malformed');
    expect(read(own, { hint: 'misstep-spans' }).spans).toHaveLength(1);
  });
});

function failureOf(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
