import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodePhoenixSpan, isPhoenixSpan } from './decode-phoenix.ts';

const ofApi: JsonObject = {
  id: 'U3Bhbjox',
  name: 'ChatCompletion',
  context: { trace_id: 'A'.repeat(32), span_id: 'b'.repeat(16) },
  span_kind: 'LLM',
  parent_id: 'c'.repeat(16),
  start_time: '2026-03-01T10:00:00.123456+00:00',
  end_time: '2026-03-01T10:00:01+00:00',
  status_code: 'ERROR',
  status_message: 'rate limited',
  attributes: {
    llm: {
      model_name: 'gpt-4o-mini',
      token_count: { prompt: 12, completion: 3 },
      input_messages: [{ message: { role: 'user', content: 'When do you open?' } }],
      output_messages: [{ message: { role: 'assistant', content: 'At nine.' } }],
    },
    tag: { tags: ['a', 'b'] },
    metadata: { nested: { deep: 1 } },
  },
  events: [
    { name: 'exception', timestamp: '2026-03-01T10:00:01Z', attributes: { 'exception.message': 'rate limited' } },
  ],
};
const ofTable: JsonObject = {
  name: 'search',
  span_kind: 'TOOL',
  parent_id: null,
  start_time: 1_772_359_200_000,
  end_time: 1_772_359_201_000,
  status_code: 'OK',
  'context.trace_id': 'trace',
  'context.span_id': 'span',
  'attributes.tool.name': 'search',
  'attributes.input.value': '{"q":"hours"}',
  'attributes.llm.model_name': null,
};

describe('a Phoenix span', () => {
  it('of the API becomes an OpenInference span', () => {
    const [span] = decodePhoenixSpan(ofApi).spans;
    expect(span).toMatchObject({
      traceId: 'a'.repeat(32),
      parentSpanId: 'c'.repeat(16),
      startNs: 1_772_359_200_123_456_000n,
      status: { code: 2, message: 'rate limited' },
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.token_count.prompt': 12,
        'llm.input_messages.0.message.content': 'When do you open?',
        'tag.tags': ['a', 'b'],
        metadata: '{"nested":{"deep":1}}',
      },
      events: [{ name: 'exception', attributes: { 'exception.message': 'rate limited' } }],
    });
    const { steps } = buildTrace([span!], { models: createModelCatalog(), isSettled: true });
    expect(steps[0]).toMatchObject({ kind: 'llm', model: 'gpt-4o-mini' });
  });

  it('of a table is read from its columns', () => {
    expect(decodePhoenixSpan(ofTable).spans).toMatchObject([
      {
        traceId: 'trace',
        spanId: 'span',
        endNs: 1_772_359_201_000_000_000n,
        status: { code: 1, message: '' },
        attributes: { 'tool.name': 'search', 'input.value': '{"q":"hours"}', 'openinference.span.kind': 'TOOL' },
      },
    ]);
  });

  it('without a time is refused', () => {
    expect(decodePhoenixSpan({ ...ofTable, start_time: 'soon' })).toMatchObject({
      spans: [],
      rejections: [{ pointer: '' }],
    });
  });

  it.each([[null], [{}], [{ name: 'x', context: {} }], [{ trace_id: 't', span_id: 's', start_time: 1 }]])(
    'is not %j',
    (value) => {
      expect(isPhoenixSpan(value as Json)).toBe(false);
    },
  );
});
