import { describe, expect, it, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { readLangfuseCost, readLangfuseUsage } from './langfuse-usage.ts';

const stepOf = (attributes: Attributes, name = 'press') =>
  buildTrace([makeSpan({ name, attributes })], { models: EMPTY_CATALOG, isSettled: true }).steps[0]!;
const typed = (type: string, more: Attributes = {}) => stepOf({ 'langfuse.observation.type': type, ...more });

describe('a span of a Langfuse SDK', () => {
  test.each([
    ['span', 'chain'],
    ['generation', 'llm'],
    ['agent', 'agent'],
    ['tool', 'tool'],
    ['chain', 'chain'],
    ['retriever', 'retrieval'],
    ['evaluator', 'other'],
    ['embedding', 'embedding'],
    ['guardrail', 'guardrail'],
    ['event', 'other'],
    ['constructor', 'other'],
  ])('of the type %s is a step of the kind %s', (type, kind) => expect(typed(type)).toMatchObject({ kind }));

  test.each<[string, Attributes, object]>([
    [
      'ERROR with its message',
      { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'TimeoutError: no answer' },
      { status: 'error', error: { type: 'TimeoutError', message: 'TimeoutError: no answer' } },
    ],
    ['ERROR alone', { 'langfuse.observation.level': 'ERROR' }, { status: 'error', error: { type: '', message: '' } }],
    [
      'WARNING',
      { 'langfuse.observation.level': 'WARNING', 'langfuse.observation.status_message': 'slow' },
      { status: 'unset', error: null },
    ],
    ['a message without a level', { 'langfuse.observation.status_message': 'slow' }, { status: 'unset', error: null }],
  ])('of the level %s', (_, attributes, expected) => expect(typed('tool', attributes)).toMatchObject(expected));

  it('that fails has its status message if the span status has none', () => {
    const attributes = { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'out of ink' };
    const span = makeSpan({ attributes, status: { code: 2, message: '' } });
    const [step] = buildTrace([span], { models: EMPTY_CATALOG, isSettled: true }).steps;
    expect(step).toMatchObject({ status: 'error', error: { message: 'out of ink' } });
  });

  it('holds messages, documents and calls', () => {
    const ioAttributes = (input: unknown, output: unknown): Attributes => ({
      'langfuse.observation.input': JSON.stringify(input),
      'langfuse.observation.output': JSON.stringify(output),
    });
    expect(
      typed('generation', ioAttributes([{ role: 'user', content: 'Ink?' }], { role: 'assistant', content: 'Blue.' })),
    ).toMatchObject({
      inputMessages: [{ role: 'user', content: 'Ink?' }],
      outputMessages: [{ role: 'assistant', content: 'Blue.' }],
    });
    expect(
      typed('retriever', ioAttributes('ink', [{ pageContent: 'Blue ink', metadata: { score: 0.5 } }])),
    ).toMatchObject({
      documents: [{ id: null, content: 'Blue ink', score: 0.5 }],
    });
    expect(typed('tool', ioAttributes({ sheet: 3 }, 'done'))).toMatchObject({
      tool: { name: 'press', arguments: { sheet: 3 }, result: 'done' },
    });
  });

  it('of LangGraph names its node', () => {
    const metadata = {
      'langfuse.observation.metadata.langgraph_node': 'press',
      'langfuse.observation.metadata.langgraph_step': '2',
    };
    const checkpoint = { 'langfuse.observation.metadata.langgraph_checkpoint_ns': 'press:1' };
    expect(typed('chain', { ...metadata, ...checkpoint }).node).toBe('press');
    expect(typed('chain', metadata).node).toBeNull();
  });
});

describe('token counts of Langfuse', () => {
  test.each([
    [{ input: 60, input_cached_tokens: 20, output: 12, output_reasoning_tokens: 3, total: 95 }, [80, 15, 95, 20, 3]],
    [{ promptTokens: 5, completionTokens: 6, totalTokens: 11 }, [5, 6, 11, undefined, undefined]],
    [{ prompt_tokens: 5, completion_tokens: 6 }, [5, 6, undefined, undefined, undefined]],
    [{ input: -1, output: 'x' }, [undefined, undefined, undefined, undefined, undefined]],
    ['9', [undefined, undefined, undefined, undefined, undefined]],
  ])('%j', (usage, expected) => {
    const { input, output, total, cacheRead, reasoning } = readLangfuseUsage(usage);
    expect([input, output, total, cacheRead, reasoning]).toEqual(expected);
  });

  test.each([
    [{ input: 0.1, output: 0.2, total: 0.4 }, 0.4],
    [{ input: 0.25, output: 0.5 }, 0.75],
    [{ total: 0 }, undefined],
    [null, undefined],
  ])('as cost: %j', (costs, expected) => expect(readLangfuseCost(costs)).toBe(expected));
});
