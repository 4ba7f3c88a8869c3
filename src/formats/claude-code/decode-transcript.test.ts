import { describe, expect, it } from 'vitest';
import { modelCallSpanId, promptSpanId, sessionRootId, sessionTraceId, toolSpanId } from '../hooks/session-span.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeTranscript } from './decode-transcript.ts';
import { isTranscript } from './transcript-line.ts';

const line = (second: number, fields: object) =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    cwd: '/home/me/shop',
    sessionId: 'session-1',
    version: '2.1.0',
    uuid: `uuid-${second}`,
    timestamp: `2026-03-01T10:00:${String(second).padStart(2, '0')}.000Z`,
    ...fields,
  });
const usage = { input_tokens: 10, cache_creation_input_tokens: 100, cache_read_input_tokens: 1_000, output_tokens: 5 };
const answer = (second: number, block: object, more: object = {}) =>
  line(second, {
    type: 'assistant',
    message: { id: 'msg_1', role: 'assistant', model: 'claude-sonnet-4-5', content: [block], usage },
    ...more,
  });
const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } };
const LINES = [
  JSON.stringify({ type: 'summary', summary: 'Fix the tests', leafUuid: 'x' }),
  line(1, { type: 'user', message: { role: 'user', content: 'Fix the tests, please.' } }),
  answer(2, { type: 'thinking', thinking: 'hm' }),
  answer(3, { type: 'text', text: 'I run them first.' }),
  answer(4, call),
  line(9, {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '1 failed', is_error: true }],
    },
    toolUseResult: 'Error: 1 failed',
  }),
  line(10, { type: 'user', isMeta: true, message: { role: 'user', content: 'a caveat that the program wrote' } }),
];

describe('a transcript', () => {
  const { spans, rejections } = decodeTranscript(LINES.join('\n'));

  it('is recognized by its lines', () => {
    expect(isTranscript(Buffer.from(LINES.join('\n')))).toBe(true);
    expect(isTranscript(Buffer.from(LINES[0]!))).toBe(false);
    expect(isTranscript(Buffer.from('{"type":"user","message":"x"}'))).toBe(false);
  });

  it('is one trace with prompt, one model call and a tool call with its result', () => {
    expect(rejections).toEqual([]);
    expect(spans.map((span) => span.name)).toEqual(['Fix the tests, please.', 'prompt', 'chat', 'Bash']);
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1);
    expect(spans[2]!.attributes).toMatchObject({
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.usage.input_tokens': 1_110,
      'gen_ai.usage.output_tokens': 5,
    });
    expect(spans[3]).toMatchObject({
      status: { code: 2, message: '1 failed' },
      attributes: { 'gen_ai.tool.call.arguments': '{"command":"npm test"}', 'gen_ai.tool.call.result': '1 failed' },
    });
    expect(Number(spans[3]!.endNs! - spans[3]!.startNs) / 1e9).toBe(5);
  });

  it('has a lower bound of output tokens where the answer was recorded before it ended', () => {
    const answer = (stop_reason: string | null, text: string) =>
      line(1, {
        type: 'assistant',
        message: { id: 'msg_1', role: 'assistant', model: 'm', usage, stop_reason, content: [{ type: 'text', text }] },
      });
    const isPartial = (...lines: string[]) =>
      decodeTranscript([LINES[0], ...lines].join('\n')).spans.find(({ name }) => name === 'chat')!.attributes[
        'misstep.usage.is_partial'
      ];
    expect(isPartial(answer(null, 'a'))).toBe(true);
    expect(isPartial(answer(null, 'a'), answer('end_turn', 'b'))).toBeUndefined();
  });

  it('is read as steps of an agent with a task', () => {
    const trace = buildTrace(spans, { models: createModelCatalog(), isSettled: true });
    expect(trace.task).toBe('Fix the tests, please.');
    expect(trace.steps.map((step) => step.kind)).toEqual(['agent', 'message', 'llm', 'tool']);
    expect(trace.framework).toBe('claude-code');
  });

  it('has the ids of its hooks and log events', () => {
    const text = [
      line(1, { type: 'user', promptId: 'p-1', message: { role: 'user', content: 'Fix the greeting.' } }),
      answer(2, call, { requestId: 'req-1' }),
    ].join('\n');
    const session = 'session-1';
    const spanIds = [
      sessionRootId(session),
      promptSpanId(session, 'p-1'),
      modelCallSpanId(session, 'req-1'),
      toolSpanId(session, 'toolu_1'),
    ];
    const ids = decodeTranscript(text).spans.map(({ traceId, spanId }) => [traceId, spanId]);
    expect(ids).toEqual(spanIds.map((spanId) => [sessionTraceId(session), spanId]));
  });

  it('gives the same spans when it is decoded again', () => {
    expect(decodeTranscript(LINES.join('\n')).spans).toEqual(spans);
  });

  it('separates sessions and names subagents', () => {
    const side = answer(
      5,
      { type: 'text', text: 'found' },
      { isSidechain: true, uuid: 'u', message: { id: 'msg_2', role: 'assistant', content: 'found' } },
    );
    const other = line(6, { type: 'user', sessionId: 'session-2', message: { role: 'user', content: 'Hello' } });
    const decoded = decodeTranscript([...LINES, side, other].join('\n'));
    expect(new Set(decoded.spans.map((span) => span.traceId)).size).toBe(2);
    expect(decoded.spans.some((span) => span.attributes['gen_ai.agent.name'] === 'subagent')).toBe(true);
  });

  it('reads the file of a subagent as steps below that agent of the session', () => {
    const more = { isSidechain: true, agentId: 'a1' };
    const fields = (number: number, text: string) => ({
      ...more,
      uuid: `s${number}`,
      message: { id: `msg_s${number}`, role: 'assistant', content: [{ type: 'text', text }] },
    });
    const alone = decodeTranscript(
      [
        line(20, { type: 'user', message: { role: 'user', content: 'Look for the oven.' }, ...more }),
        line(21, { type: 'assistant', ...fields(1, 'I look.') }),
        line(22, { type: 'assistant', ...fields(2, 'It is in oven.ts.') }),
      ].join('\n'),
    ).spans;
    expect(alone.map(({ name }) => name)).toEqual(['subagent', 'chat', 'chat']);
    expect(alone[0]).toMatchObject({ parentSpanId: spans[0]!.spanId, traceId: spans[0]!.traceId });
    expect(new Set(alone.slice(1).map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([alone[0]!.spanId]));
    const trace = buildTrace([...alone, ...spans], { models: createModelCatalog(), isSettled: true });
    expect(trace).toMatchObject({ task: 'Fix the tests, please.', agents: ['claude-code', 'subagent'] });
  });

  it('loses only broken lines', () => {
    const decoded = decodeTranscript(
      [...LINES, '{"broken', line(11, { type: 'user', timestamp: 'soon', message: { content: 'x' } })].join('\n'),
    );
    expect(decoded.rejections.map(({ pointer }) => pointer)).toEqual(['line 8', 'line 9/timestamp']);
    expect(decoded.spans).toHaveLength(spans.length);
  });
});
