import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { decodePlainSpan, isPlainSpan } from './plain-span.ts';

const plainSpan = (fields: JsonObject): JsonObject => ({ trace_id: 't', span_id: 's', name: 'x', ...fields });
const decode = (fields: JsonObject) => decodePlainSpan(plainSpan(fields), null) as Span;

describe('a plain span', () => {
  test.each<[string, Json, bigint]>([
    ['RFC 3339', '2026-05-01T00:00:00Z', 1_777_593_600_000_000_000n],
    ['seconds', 1_777_593_600, 1_777_593_600_000_000_000n],
    ['milliseconds', 1_777_593_600_001, 1_777_593_600_001_000_000n],
    ['microseconds', 1_777_593_600_000_001, 1_777_593_600_000_001_000n],
    ['nanoseconds as text', '1777593600000000001', 1_777_593_600_000_000_001n],
    ['nothing', null, 0n],
    ['words', 'soon', 0n],
  ])('has a start in %s', (_, start, ns) => {
    expect(decode({ start_time: start }).startNs).toBe(ns);
  });

  test.each<[string, JsonObject, bigint | null]>([
    ['an end', { start: 1_777_593_600, end: 1_777_593_601 }, 1_777_593_601_000_000_000n],
    ['a duration', { start: 1_777_593_600, duration_ms: 5 }, 1_777_593_600_005_000_000n],
    ['an end before its start', { start: 1_777_593_600, end: 1_777_593_599 }, 1_777_593_600_000_000_000n],
    ['only a start', { start: 1_777_593_600 }, null],
    ['no time', {}, 0n],
  ])('with %s', (_, fields, endNs) => {
    expect(decode(fields).endNs).toBe(endNs);
  });

  test.each<[string, JsonObject, number, string]>([
    ['error text', { error: 'boom' }, 2, 'boom'],
    ['an error word', { status: 'ERROR' }, 2, ''],
    ['an OTLP status', { status: { code: 2, message: 'm' } }, 2, 'm'],
    ['a good word', { status: 'success' }, 1, ''],
    ['nothing', {}, 0, ''],
  ])('with %s', (_, fields, code, message) => {
    expect(decode(fields).status).toEqual({ code, message });
  });

  test('has the kind of its step', () => {
    expect(decode({ kind: 'tool', input: { q: 1 }, output: 'r', agent: 'a' }).attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': 'a',
      'gen_ai.tool.name': 'x',
      'gen_ai.tool.call.arguments': '{"q":1}',
      'gen_ai.tool.call.result': 'r',
    });
    expect(decode({ type: 'LLM', model: 'm', output: 'r', attributes: { own: 1 } }).attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'output.value': 'r',
      own: 1,
    });
  });

  test('has the messages of a model call', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":1}' } };
    const sent = [{ role: 'user', content: 'find it' }];
    const answer = { role: 'assistant', content: 'I look.', tool_calls: [call] };
    const expected = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify(sent),
      'gen_ai.output.messages': JSON.stringify(answer),
    };
    expect(decode({ kind: 'llm', input: sent, output: answer }).attributes).toEqual(expected);
    const asText = { kind: 'llm', input: JSON.stringify(sent), output: JSON.stringify(answer) };
    expect(decode(asText).attributes).toEqual(expected);
    const other = { question: 'where?' };
    expect(decode({ kind: 'llm', input: other }).attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'input.value': JSON.stringify(other),
    });
  });

  test.each<[string, Json]>([
    ['a text', 'x'],
    ['no ids', { name: 'x' }],
    ['a message', { id: 'a', content: 'x' }],
  ])('is not %s', (_, value) => {
    expect(isPlainSpan(value)).toBe(false);
  });

  test('without a trace id is rejected unless one is passed', () => {
    expect(decodePlainSpan({ span_id: 's', name: 'x' }, null)).toHaveProperty('rejection');
    expect(decodePlainSpan({ span_id: 's', name: 'x' }, 't')).toMatchObject({ traceId: 't', parentSpanId: null });
  });
});
