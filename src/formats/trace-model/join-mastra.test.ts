import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { decodeOtlpJson } from '../otlp/decode-json.ts';
import { buildTrace } from './build-trace.ts';
import { joinMastra } from './join-mastra.ts';

/** Bodies that @mastra/core 1.71.0 sent with @mastra/otel-exporter 1.4.0. */
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/conventions/mastra');
const spansOf = (name: string) => decodeOtlpJson(readFileSync(join(FOLDER, `${name}.json`))).spans;
const traceOf = (spans: readonly Span[]) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true });
const typeOf = ({ attributes }: Span) => attributes['mastra.span.type'];
const kindsOf = (spans: readonly Span[]) => traceOf(spans).steps.map(({ kind }) => kind);

describe("Mastra's agent run", () => {
  const spans = spansOf('agent-with-tool');

  test('has its model calls and tool calls once, directly below the agent', () => {
    const { steps } = traceOf(spans);
    expect(steps.map(({ kind, depth }) => [kind, depth])).toEqual([
      ['agent', 0],
      ['llm', 1],
      ['tool', 1],
      ['llm', 1],
    ]);
    expect(steps.map(({ tokens }) => tokens.total)).toEqual([null, 168, null, 168]);
  });

  test('has the user prompt as its task, after the instructions', () => {
    const { task, steps, framework } = traceOf(spans);
    expect([framework, task]).toEqual(['mastra', 'Where can the Alma moor tonight?']);
    for (const step of [steps[0]!, steps[1]!])
      expect(step.inputMessages.map(({ role, content }) => [role, content])).toEqual([
        ['system', 'You assign berths in one sentence.'],
        ['user', 'Where can the Alma moor tonight?'],
      ]);
  });

  test('has the tool calls that the model requested', () => {
    const [, first] = traceOf(spans).steps;
    expect(first!.outputMessages[0]!.toolCalls).toMatchObject([{ name: 'find_berth', arguments: { ship: 'Alma' } }]);
  });

  test.each([0, 1, 2, 3])('is the same in another order (%i)', (turn) => {
    const order = turn % 2 === 0 ? spans.toReversed() : [...spans.slice(turn), ...spans.slice(0, turn)];
    expect(traceOf(order)).toEqual(traceOf(spans));
  });

  test('keeps a wrapper that failed without a failed call', () => {
    const failed = spans.map((span) =>
      typeOf(span) === 'model_generation' ? { ...span, status: { code: 2 as const, message: 'no answer left' } } : span,
    );
    expect(kindsOf(failed)).toEqual(['agent', 'chain', 'llm', 'tool', 'llm']);
    expect(traceOf(failed).steps[1]!.error).toMatchObject({ message: 'no answer left' });
  });

  test('has a failed call as one step', () => {
    const failed = spans.map((span) =>
      ['model_generation', 'model_step', 'model_inference'].includes(String(typeOf(span)))
        ? { ...span, status: { code: 2 as const, message: '429 Too Many Requests' } }
        : span,
    );
    expect(
      traceOf(failed)
        .steps.filter(({ status }) => status === 'error')
        .map(({ kind }) => kind),
    ).toEqual(['llm', 'llm']);
  });

  test('of a version without a request span has one call per generation', () => {
    const older = spans
      .filter((span) => typeOf(span) !== 'model_inference' && typeOf(span) !== 'model_chunk')
      .map((span) =>
        typeOf(span) === 'model_generation'
          ? {
              ...span,
              attributes: {
                ...span.attributes,
                'gen_ai.operation.name': 'chat',
                'gen_ai.usage.input_tokens': 246,
                'gen_ai.usage.output_tokens': 90,
              },
            }
          : span,
      );
    const trace = traceOf(older);
    expect(trace.steps.filter(({ kind }) => kind === 'llm')).toHaveLength(1);
    expect([trace.tokens.total, trace.task]).toEqual([336, 'Where can the Alma moor tonight?']);
  });

  test('without its wrappers, which may arrive later, keeps its calls', () => {
    const parts = spans.filter((span) => !['model_generation', 'model_step'].includes(String(typeOf(span))));
    expect(kindsOf(parts).filter((kind) => kind === 'llm')).toHaveLength(2);
  });
});

describe("Mastra's workflow", () => {
  const spans = spansOf('workflow-with-failing-step');

  test('has its registered name, its steps and their failures', () => {
    const { name, status, steps } = traceOf(spans);
    expect([name, status]).toEqual(['berth-plan', 'error']);
    expect(steps.flatMap(({ node }) => (node === null ? [] : [node]))).toEqual(['assign', 'publish']);
    expect(
      steps.filter(({ status: each }) => each === 'error').map(({ kind, error }) => [kind, error!.message]),
    ).toEqual([
      ['chain', 'the plan of the day is locked'],
      ['tool', 'connect ECONNREFUSED 10.20.0.4:8443'],
      ['chain', 'the plan of the day is locked'],
    ]);
  });
});

test('spans of other senders are unchanged', () => {
  const spans = spansOf('agent-with-tool').map((span) => ({
    ...span,
    attributes: { ...span.attributes, 'mastra.span.type': null },
  }));
  expect(joinMastra(spans)).toBe(spans);
});
