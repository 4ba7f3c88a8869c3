import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import { createModelCatalog } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeLangfuse, isLangfuse } from './decode-langfuse.ts';

const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, '0')}.250Z`;
const observation = (fields: JsonObject): JsonObject => ({
  id: 'obs-1',
  traceId: 'trace-1',
  type: 'SPAN',
  name: 'step',
  startTime: at(1),
  endTime: at(2),
  level: 'DEFAULT',
  parentObservationId: null,
  ...fields,
});
const trace: JsonObject = {
  id: 'trace-1',
  timestamp: at(0),
  name: 'support question',
  sessionId: 'session-9',
  input: { question: 'When do you open?' },
  output: 'At nine.',
  latency: 7.5,
  htmlPath: '/project/p/traces/trace-1',
  observations: [
    observation({ id: 'agent', type: 'AGENT', name: 'clerk', startTime: at(1), endTime: at(6) }),
    observation({
      id: 'ask',
      type: 'GENERATION',
      name: 'answer',
      model: 'gpt-4o-mini',
      parentObservationId: 'agent',
      input: [{ role: 'user', content: 'When do you open?' }],
      output: { role: 'assistant', content: 'At nine.' },
      usageDetails: { input: 20, output: 4, total: 24 },
      costDetails: { total: 0.0001 },
    }),
    observation({
      id: 'look',
      type: 'TOOL',
      name: 'search',
      parentObservationId: 'agent',
      input: { q: 'hours' },
      output: 'none',
      level: 'ERROR',
      statusMessage: 'timed out',
    }),
  ],
};

describe('a Langfuse trace', () => {
  const { spans, rejections } = decodeLangfuse(trace);

  it('is one tree of spans', () => {
    expect(rejections).toEqual([]);
    expect(spans.map(({ name, spanId, parentSpanId }) => [name, spanId, parentSpanId])).toEqual([
      ['support question', spans[0]!.spanId, null],
      ['clerk', 'agent', spans[0]!.spanId],
      ['answer', 'ask', 'agent'],
      ['search', 'look', 'agent'],
    ]);
    expect(spans[0]).toMatchObject({
      traceId: 'trace-1',
      startNs: 1_772_359_200_250_000_000n,
      endNs: 1_772_359_207_750_000_000n,
    });
    expect(spans[3]!.status).toEqual({ code: 2, message: 'timed out' });
  });

  it('is read as steps with models, tokens, tools and agents', () => {
    const built = buildTrace(spans, { models: createModelCatalog(), isSettled: true });
    expect(built.steps.map((step) => step.kind)).toEqual(['chain', 'agent', 'llm', 'tool']);
    expect(built.steps[2]).toMatchObject({ model: 'gpt-4o-mini' });
    expect(built.steps[3]).toMatchObject({ tool: { name: 'search' } });
    expect(JSON.stringify(built.steps[2])).toContain('When do you open?');
  });
});

describe('observations', () => {
  it('are also accepted singly', () => {
    expect(isLangfuse(observation({}))).toBe(true);
    expect(decodeLangfuse(observation({ usage: { input: 3 }, type: 'GENERATION' })).spans).toMatchObject([
      { traceId: 'trace-1', spanId: 'obs-1', parentSpanId: null, attributes: { 'gen_ai.usage.input_tokens': 3 } },
    ]);
  });

  it('that cannot be read are rejected alone', () => {
    const broken = {
      ...trace,
      observations: [observation({ startTime: 'soon' }), 5, 'only-an-id', observation({ id: 'good' })],
    };
    const { spans, rejections } = decodeLangfuse(broken as Json);
    expect(spans.map((span) => span.spanId).slice(1)).toEqual(['good']);
    expect(rejections.map(({ pointer }) => pointer)).toEqual(['/observations/0', '/observations/1']);
  });

  it.each([
    [null],
    [{}],
    [{ id: 'x', name: 'y' }],
    [{ id: 1, timestamp: 2 }],
    [{ trace_id: 'a', span_id: 'b', name: 'c' }],
  ])('are not %j', (value) => {
    expect(isLangfuse(value as Json)).toBe(false);
  });
});

describe('an export of the UI', () => {
  const { observations, ...alone } = trace;
  const scope = (name: string) => ({ scope: { name, version: '1' }, resourceAttributes: { 'service.name': 'desk' } });
  const exported = (metadata: Json, ...more: JsonObject[]): JsonObject => ({
    trace: alone,
    observations: [...(observations as JsonObject[]).map((one) => ({ ...one, metadata })), ...more],
  });
  const read = (value: Json) =>
    buildTrace(decodeLangfuse(value).spans, { models: createModelCatalog(), isSettled: true });

  it('is the same tree as a trace of the API', () => {
    const value = exported({});
    expect(isLangfuse(value)).toBe(true);
    expect(decodeLangfuse(value)).toEqual(decodeLangfuse(trace));
  });

  it.each<[string, Json, string]>([
    ['scope', scope('openinference.instrumentation.agno'), 'agno'],
    ['scope as JSON text', JSON.stringify(scope('pydantic-ai')), 'pydantic-ai'],
    ['checkpoints', { langgraph_step: 1, langgraph_checkpoint_ns: 'a:1', ...scope('langfuse-sdk') }, 'langgraph'],
    ['own SDK', { langgraph_step: 1, ...scope('langfuse-sdk') }, 'unknown'],
    ['unreadable metadata', '{"scope":', 'unknown'],
  ])('has the framework by its %s', (_, metadata, framework) => {
    expect(read(exported(metadata)).framework).toBe(framework);
  });

  it('shows a span without a type as the tool that its attributes name', () => {
    const attributes = { 'openinference.span.kind': 'TOOL', 'tool.name': 'find_hours' };
    const decoded = read(
      exported({}, observation({ id: 'tool', name: 'run', metadata: { attributes }, startTime: at(4) })),
    );
    expect(decoded.steps.find(({ spanId }) => spanId === 'tool')).toMatchObject({
      kind: 'tool',
      tool: { name: 'find_hours' },
    });
  });

  it('adds up tokens with separate prices', () => {
    const usageDetails = { input: 100, input_cache_read: 40, output: 9, output_reasoning: 6, total: 155 };
    const decoded = read({ trace: alone, observations: [observation({ id: 'g', type: 'GENERATION', usageDetails })] });
    expect(decoded.tokens).toMatchObject({ input: 140, output: 15, cacheRead: 40, reasoning: 6 });
  });
});
