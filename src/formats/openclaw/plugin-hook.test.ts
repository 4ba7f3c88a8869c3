import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeOpenClaw, isOpenClaw } from './decode-openclaw.ts';

const AT = Date.parse('2026-05-04T10:00:00Z');
const CTX = { sessionId: 's-1', sessionKey: 'agent:gardener:main', agentId: 'gardener', runId: 'r-1' };
const hook = (name: string, event: JsonObject, atMs: number | null = AT, ctx: JsonObject = CTX): JsonObject => ({
  hook: name,
  event,
  ctx,
  ...(atMs === null ? {} : { timestamp: new Date(atMs).toISOString() }),
});
const traceOf = (spans: Span[]) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true });
const stepsOf = (value: Json) => traceOf(decodeOpenClaw(value, AT).spans).steps.slice(1);

const RUN: JsonObject[] = [
  hook('session_start', { sessionId: 's-1' }),
  hook(
    'llm_input',
    { runId: 'r-1', provider: 'openai', model: 'gpt-4o', prompt: 'Water the beds', systemPrompt: 'Be brief.' },
    AT + 10,
  ),
  hook('before_tool_call', { toolName: 'valve', params: { bed: 'north' }, toolCallId: 'c-1' }, AT + 20),
  hook(
    'after_tool_call',
    { toolName: 'valve', params: { bed: 'north' }, toolCallId: 'c-1', result: { open: true }, durationMs: 30 },
    AT + 50,
  ),
  hook(
    'llm_output',
    {
      runId: 'r-1',
      provider: 'openai',
      model: 'gpt-4o',
      assistantTexts: ['Done.'],
      usage: { input: 10, output: 3, cacheRead: 5, total: 18 },
    },
    AT + 60,
  ),
  hook('agent_end', { success: true, messages: [], runId: 'r-1' }, AT + 61),
  hook('session_end', { sessionId: 's-1', messageCount: 4, reason: 'idle' }, AT + 100),
];

describe('hooks of a plugin', () => {
  test('give a run with model call, tool call and messages', () => {
    const { spans, rejections } = decodeOpenClaw(RUN);
    const trace = traceOf(spans);
    expect(rejections).toEqual([]);
    expect(trace).toMatchObject({
      framework: 'openclaw',
      task: 'Water the beds',
      agents: ['gardener'],
      sessionId: 's-1',
    });
    expect(trace.steps.slice(1)).toMatchObject([
      { kind: 'llm', model: 'gpt-4o', output: 'Done.', tokens: { input: 15, output: 3, total: 18, cacheRead: 5 } },
      { kind: 'tool', tool: { name: 'valve', arguments: { bed: 'north' }, result: { open: true }, id: 'c-1' } },
    ]);
    expect(trace.steps[0]).toMatchObject({ startMs: AT, endMs: AT + 100 });
  });

  test('give the same spans singly, in a list, and in a batch that names the session', () => {
    const whole = decodeOpenClaw(RUN).spans;
    const bare = RUN.map((one) => ({ ...one, ctx: { agentId: 'gardener' } }));
    expect(decodeOpenClaw({ session: { id: 's-1', key: 'agent:gardener:main' }, events: bare }).spans).toEqual(whole);
    expect(new Set(RUN.flatMap((one) => decodeOpenClaw(one).spans.map(({ spanId }) => spanId))).size).toBe(
      whole.length,
    );
  });

  test('a tool call has the span id of the transcript', () => {
    const transcript = {
      session_id: 's-1',
      seq: 3,
      event_json: {
        type: 'message',
        id: 'm-1',
        timestamp: new Date(AT + 20).toISOString(),
        message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c-1', name: 'valve', arguments: {} }] },
      },
    };
    const ids = (value: Json) =>
      decodeOpenClaw(value).spans.flatMap(({ spanId, name }) => (name === 'valve' ? [spanId] : []));
    expect(ids(RUN)).toEqual(ids([transcript]));
  });

  test.each<[string, JsonObject, JsonObject | null]>([
    [
      'a tool call that failed',
      hook('after_tool_call', { toolName: 'valve', params: {}, error: 'valve is stuck', toolCallId: 'c' }),
      { kind: 'tool', status: 'error', error: { type: 'tool_error', message: 'valve is stuck' } },
    ],
    [
      'a tool call without an id, by its end',
      hook('after_tool_call', { toolName: 'valve', params: { bed: 1 }, result: 'ok', durationMs: 40 }),
      { kind: 'tool', startMs: AT - 40, endMs: AT, tool: { name: 'valve', arguments: { bed: 1 }, result: 'ok' } },
    ],
    ['a tool call without an id, by its beginning', hook('before_tool_call', { toolName: 'valve', params: {} }), null],
    [
      'a model call that failed',
      hook('model_call_ended', { callId: 'k', model: 'm', outcome: 'error', failureKind: 'timeout', durationMs: 9 }),
      { kind: 'llm', status: 'error', error: { type: 'timeout', message: 'the model call failed: timeout' } },
    ],
    [
      'a successful model call',
      hook('model_call_ended', { callId: 'k', model: 'm', outcome: 'completed', durationMs: 9 }),
      { kind: 'llm', model: 'm', status: 'unset', startMs: AT - 9, endMs: AT },
    ],
    [
      'a run that a user stopped',
      hook('agent_end', { success: false, messages: [{ role: 'assistant', content: [], stopReason: 'aborted' }] }),
      null,
    ],
    [
      'a run that failed',
      hook('agent_end', { success: false, error: 'no such model', messages: [] }),
      { name: 'run', status: 'error', error: { type: 'error', message: 'no such model' } },
    ],
    [
      'a subagent that was killed',
      hook('subagent_ended', {
        targetSessionKey: 'agent:helper:sub',
        targetKind: 'subagent',
        reason: 'x',
        outcome: 'killed',
      }),
      { kind: 'agent', agent: 'helper', error: { type: 'killed', message: 'The subagent ended: killed.' } },
    ],
    [
      'a successful subagent',
      hook('subagent_ended', { targetSessionKey: 'agent:helper:sub', outcome: 'ok', endedAt: AT - 5 }),
      { kind: 'agent', status: 'ok', endMs: AT - 5 },
    ],
    [
      'a received message',
      hook('message_received', { from: 'u', content: 'Hello' }),
      { kind: 'message', name: 'prompt' },
    ],
    [
      'a message that was not delivered',
      hook('message_sent', { to: 'u', content: 'Hi', success: false, error: 'channel is closed' }),
      { name: 'delivery', status: 'error', error: { type: 'delivery', message: 'channel is closed' } },
    ],
    ['a message that was sent', hook('message_sent', { to: 'u', content: 'Hi', success: true }), null],
    ['a hook that describes no step', hook('before_prompt_build', {}), null],
  ])('%s', (_, value, expected) => {
    const steps = stepsOf(value);
    if (expected === null) expect(steps).toEqual([]);
    else expect(steps).toMatchObject([expected]);
  });

  test('without a time have the time of receipt, and are rejected without it', () => {
    const value = hook('after_tool_call', { toolName: 'valve', toolCallId: 'c' }, null);
    expect(stepsOf(value)[0]!.endMs).toBe(AT);
    expect(decodeOpenClaw(value).rejections).toMatchObject([
      { pointer: '', message: 'timestamp must be an RFC 3339 time' },
    ]);
  });

  test.each<[string, Json]>([
    ['of no session', hook('agent_end', { success: true }, AT, {})],
    ['of a session with a very long id', hook('agent_end', {}, AT, { sessionId: 'x'.repeat(129) })],
    ['at no time', { ...hook('agent_end', {}), timestamp: 'noon' }],
  ])('%s are rejected', (_, value) => {
    const { spans, rejections } = decodeOpenClaw(value, AT);
    expect([spans, rejections.length]).toEqual([[], 1]);
  });

  test.each<[string, Json, boolean]>([
    ['a hook', hook('agent_end', {}), true],
    ['an unknown hook', hook('agent_dance', {}), false],
    ['a hook without its event', { hook: 'agent_end' }, false],
    ["another agent's hook", { hook_event_name: 'Stop', session_id: 's' }, false],
  ])('%s is recognized: %s', (_, value, expected) => {
    expect(isOpenClaw(value)).toBe(expected);
  });
});

describe('a run of a scheduled job', () => {
  const finished = (more: JsonObject = {}): JsonObject => ({
    action: 'finished',
    jobId: 'j-1',
    status: 'ok',
    runAtMs: AT,
    durationMs: 4_000,
    summary: 'The beds are wet.',
    sessionId: 's-1',
    sessionKey: 'cron:j-1',
    nextRunAtMs: AT + 86_400_000,
    model: 'gpt-4o',
    provider: 'openai',
    usage: { input_tokens: 20, output_tokens: 4, total_tokens: 24 },
    ...more,
  });

  test('that succeeded belongs to its session', () => {
    const { spans } = decodeOpenClaw(finished());
    expect(spans[0]!.traceId).toBe(decodeOpenClaw(RUN).spans[0]!.traceId);
    expect(traceOf(spans).steps[1]).toMatchObject({
      kind: 'chain',
      name: 'cron job',
      startMs: AT,
      endMs: AT + 4_000,
      output: 'The beds are wet.',
      status: 'ok',
    });
  });

  test.each<[string, JsonObject, JsonObject]>([
    [
      'that failed',
      finished({
        status: 'error',
        error: 'model is overloaded',
        summary: null,
        job: { name: 'Watering', agentId: 'gardener' },
      }),
      { name: 'Watering', status: 'error', error: { type: 'cron', message: 'model is overloaded' } },
    ],
    ['that was skipped', finished({ status: 'skipped', error: 'disabled' }), { status: 'unset', error: null }],
    [
      'whose failure is alerted',
      { jobId: 'j-1', jobName: 'Watering', message: 'Watering failed: no water', runAtMs: AT },
      { name: 'Watering', status: 'error', error: { type: 'cron', message: 'Watering failed: no water' } },
    ],
  ])('%s', (_, value, expected) => {
    expect(stepsOf(value)).toMatchObject([expected]);
  });

  test('without a session is identified by job and time in every format', () => {
    const alert = { jobId: 'j-1', jobName: 'Watering', message: 'no water', runAtMs: AT };
    const end = finished({ sessionId: null, status: 'error', error: 'no water' });
    expect(decodeOpenClaw(alert).spans.map(({ spanId }) => spanId)).toEqual(
      decodeOpenClaw(end).spans.map(({ spanId }) => spanId),
    );
    const later = decodeOpenClaw({ ...alert, runAtMs: AT + 1 });
    expect(later.spans[0]!.traceId).not.toBe(decodeOpenClaw(alert).spans[0]!.traceId);
  });

  test.each<[string, Json, boolean]>([
    ['an end', finished(), true],
    ['a beginning', finished({ action: 'started' }), false],
    ['an end without its job', finished({ jobId: null }), false],
    ['an alert', { jobId: 'j', jobName: 'n', message: 'm' }, true],
    ['a job of another product', { jobId: 'j', message: 'm' }, false],
  ])('%s is recognized: %s', (_, value, expected) => {
    expect(isOpenClaw(value)).toBe(expected);
  });
});
