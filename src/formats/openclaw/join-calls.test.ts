import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeOpenClaw } from './decode-openclaw.ts';

/** One run of two model calls with a tool call that fails in between, as plugin and transcript of OpenClaw 2026.9.6 report it. */
const AT = Date.parse('2026-05-04T10:00:00Z');
const usage = (input: number, output: number): JsonObject => ({
  input,
  output,
  cacheRead: 5,
  cacheWrite: 0,
  totalTokens: input + output + 5,
});
const model = { api: 'openai-completions', provider: 'local', model: 'gpt-4o' };
const REFUSAL = 'bed north is locked';
const MESSAGES: JsonObject[] = [
  { role: 'user', content: [{ type: 'text', text: 'Water the north bed' }], timestamp: AT + 5 },
  {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'c-1', name: 'valve', arguments: { bed: 'north' } }],
    ...model,
    usage: usage(40, 8),
    stopReason: 'toolUse',
    timestamp: AT + 20,
  },
  {
    role: 'toolResult',
    toolCallId: 'c-1',
    toolName: 'valve',
    content: [{ type: 'text', text: `{"status":"error","error":"${REFUSAL}"}` }],
    details: { status: 'error', error: REFUSAL },
    isError: true,
    timestamp: AT + 170,
  },
  {
    role: 'assistant',
    content: [{ type: 'text', text: 'The north bed is locked, so I left it dry.' }],
    ...model,
    usage: usage(60, 12),
    stopReason: 'stop',
    timestamp: AT + 200,
  },
];

const CTX = { sessionId: 's-9', sessionKey: 'agent:gardener:main', agentId: 'gardener', runId: 'r-9' };
const hook = (name: string, event: JsonObject, atMs: number): JsonObject => ({
  hook: name,
  event: { runId: 'r-9', ...event },
  ctx: CTX,
  timestamp: new Date(AT + atMs).toISOString(),
});
const measured = (number: number, more: JsonObject, atMs: number) =>
  hook('model_call_ended', { callId: `r-9:model:${number}`, ...model, outcome: 'completed', ...more }, atMs);

const HOOKS: JsonObject[] = [
  hook(
    'llm_input',
    { ...model, prompt: '[Mon 2026-05-04 10:00 UTC] Water the north bed', systemPrompt: 'Be brief.' },
    10,
  ),
  measured(1, { durationMs: 100 }, 118),
  hook('before_tool_call', { toolName: 'valve', params: { bed: 'north' }, toolCallId: 'c-1' }, 125),
  hook(
    'after_tool_call',
    {
      toolName: 'valve',
      params: { bed: 'north' },
      toolCallId: 'c-1',
      result: { content: (MESSAGES[2] as { content: Json }).content, details: { error: REFUSAL } },
      error: REFUSAL,
    },
    168,
  ),
  measured(2, { durationMs: 90 }, 288),
  hook('agent_end', { messages: MESSAGES, success: true, durationMs: 300 }, 300),
  hook(
    'llm_output',
    {
      ...model,
      assistantTexts: ['The north bed is locked, so I left it dry.'],
      usage: { ...usage(100, 20), cacheRead: 10, total: 130 },
    },
    304,
  ),
];

const TRANSCRIPT: JsonObject[] = [
  { type: 'session', version: 4, id: 's-9', timestamp: new Date(AT).toISOString(), cwd: '/home/ada/garden' },
  ...MESSAGES.map((message, place) => ({
    type: 'message',
    id: `m-${place}`,
    timestamp: new Date((message.timestamp as number) + (message.role === 'assistant' ? 104 : 3)).toISOString(),
    message: { ...message, __openclaw: { runId: 'r-9' } },
  })),
];
const ROWS = TRANSCRIPT.map((event, seq) => ({ session_id: 's-9', seq, event_json: JSON.stringify(event) }));

/** Each body is decoded separately, as at a server. */
const traceOf = (bodies: readonly Json[]) =>
  buildTrace(mergeSpans(bodies.flatMap((body) => decodeOpenClaw(body).spans)), {
    models: EMPTY_CATALOG,
    isSettled: true,
  });
const callsOf = (bodies: readonly Json[]) => traceOf(bodies).steps.filter(({ kind }) => kind === 'llm');

/** There are 5,040 orders; these start with each of the bodies, forwards and backwards. */
function ordersOf<T>(bodies: readonly T[]): T[][] {
  const rotations = bodies.map((_, at) => [...bodies.slice(at), ...bodies.slice(0, at)]);
  return [...rotations, ...rotations.map((order) => order.toReversed())];
}

describe('a model call is one step with its own tokens', () => {
  const expected = [
    { startMs: AT + 18, endMs: AT + 118, tokens: { input: 45, output: 8, total: 53, cacheRead: 5 } },
    {
      startMs: AT + 198,
      endMs: AT + 288,
      tokens: { input: 65, output: 12, total: 77 },
      output: 'The north bed is locked, so I left it dry.',
    },
  ];
  test.each<[string, Json[]]>([
    ['the plugin', HOOKS],
    ['the plugin and the transcript', [...HOOKS, ROWS]],
    ['the plugin and rows that arrive one by one', [...HOOKS, ...ROWS]],
  ])('from %s, in any order of arrival', (_, bodies) => {
    for (const order of ordersOf(bodies)) {
      const trace = traceOf(order);
      expect(callsOf(order)).toMatchObject(expected);
      expect(trace).toMatchObject({
        status: 'ok',
        task: 'Water the north bed',
        agents: ['gardener'],
        tokens: { total: 130 },
      });
      expect(trace.steps.filter(({ kind }) => kind === 'tool')).toMatchObject([
        { tool: { name: 'valve' }, error: { type: 'tool_error', message: REFUSAL } },
      ]);
    }
  });

  test('the last step of a successful run is its answer, not the failed tool', () => {
    expect(traceOf(HOOKS).steps.at(-1)).toMatchObject({
      kind: 'llm',
      output: 'The north bed is locked, so I left it dry.',
    });
    expect(traceOf(HOOKS).finalOutput).toBe('The north bed is locked, so I left it dry.');
  });

  test('the first call has the instructions and the prompt', () => {
    const [first, second] = callsOf([...HOOKS, ROWS]);
    expect(first!.inputMessages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Water the north bed'],
    ]);
    expect(second!.inputMessages.map(({ role }) => role)).toEqual(['tool']);
  });
});

describe('missing hooks', () => {
  test('without agent_end the last call has the tokens of the run', () => {
    const calls = callsOf(HOOKS.filter((one) => one.hook !== 'agent_end'));
    expect(calls.map(({ tokens }) => tokens.total)).toEqual([null, 130]);
  });

  test('before a run ends its measured calls are steps', () => {
    expect(callsOf(HOOKS.slice(0, 4))).toMatchObject([{ startMs: AT + 18, endMs: AT + 118 }]);
  });

  test('a failed call that was retried is a separate step', () => {
    const failed = measured(0, { outcome: 'error', failureKind: 'rate_limit', durationMs: 4 }, 16);
    const calls = callsOf([failed, ...HOOKS, ROWS]);
    expect(calls).toMatchObject([
      { error: { type: 'rate_limit' } },
      { tokens: { total: 53 } },
      { tokens: { total: 77 } },
    ]);
  });

  test('a transcript without run ids is paired by time', () => {
    const withoutRunIds = TRANSCRIPT.map(
      (event) => JSON.parse(JSON.stringify(event).replaceAll('__openclaw', 'other')) as JsonObject,
    );
    const calls = callsOf([...HOOKS, { session: { id: 's-9' }, events: withoutRunIds }]);
    expect(calls).toMatchObject([{ startMs: AT + 18, tokens: { total: 53 } }, { tokens: { total: 77 } }]);
  });

  test('a second run of the session has separate calls', () => {
    const moved = (text: string) =>
      text
        .replaceAll('r-9', 'r-10')
        .replaceAll('c-1', 'c-2')
        .replace(/"timestamp":(\d{13})/g, (_, ms: string) => `"timestamp":${Number(ms) + 60_000}`);
    const later = HOOKS.map((one) => {
      const copy = JSON.parse(moved(JSON.stringify(one))) as JsonObject;
      const event = copy.event as JsonObject;
      if (Array.isArray(event.messages)) event.messages = [...MESSAGES, ...event.messages];
      return { ...copy, timestamp: new Date(Date.parse(one.timestamp as string) + 60_000).toISOString() };
    });
    expect(callsOf([...HOOKS, ...later]).map(({ tokens }) => tokens.total)).toEqual([53, 77, 53, 77]);
  });
});

test('other spans are unchanged', () => {
  const spans: Span[] = decodeOpenClaw(ROWS).spans;
  expect(buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true }).steps).toHaveLength(5);
});
