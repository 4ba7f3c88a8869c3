import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { decodeOtlpJson } from '../otlp/decode-json.ts';
import { buildTrace } from './build-trace.ts';

const build = (spans: Span[], isSettled = true) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled });
const at = (ms: number) => 1_790_000_000_000_000_000n + BigInt(ms) * 1_000_000n;
const child = (spanId: string, from: number, overrides: Partial<Span> = {}) =>
  makeSpan({ spanId, name: spanId, parentSpanId: 'root', startNs: at(from), endNs: at(from + 5), ...overrides });
const root = (overrides: Partial<Span> = {}) =>
  makeSpan({ spanId: 'root', name: 'root', startNs: at(0), endNs: at(100), ...overrides });
const failed = { code: 2 as const, message: 'no' };
const llm = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': 10,
  'gen_ai.usage.output_tokens': 5,
};

describe('status', () => {
  test.each<[string, Span[], boolean, Trace['status']]>([
    ['all went well', [root(), child('a', 1)], true, 'ok'],
    ['the root failed', [root({ status: failed })], true, 'error'],
    ['the root has not ended', [root({ endNs: null })], true, 'running'],
    ['the root may still arrive', [child('a', 1)], false, 'running'],
    ['the root never arrived', [child('a', 1)], true, 'ok'],
    ['an orphan failed', [child('a', 1, { status: failed })], true, 'error'],
    ['a failure in the middle was handled', [root(), child('a', 1, { status: failed }), child('b', 10)], true, 'ok'],
    [
      'the last step failed and there is no output',
      [root(), child('a', 1), child('b', 10, { status: failed })],
      true,
      'error',
    ],
    [
      'the last step failed, but the root has status OK',
      [root({ status: { code: 1, message: '' } }), child('b', 10, { status: failed })],
      true,
      'ok',
    ],
    ['one of two roots failed', [root(), makeSpan({ spanId: 'r2', startNs: at(5), status: failed })], true, 'error'],
    ['no spans yet', [], false, 'running'],
  ])('%s', (_, spans, isSettled, status) => {
    expect(build(spans, isSettled).status).toBe(status);
  });
});

describe('tokens are counted once', () => {
  const agent = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'a',
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.output_tokens': 10,
  };
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 't' };
  const under = (parentSpanId: string) => ({ parentSpanId });
  test.each<[string, Span[], number | null]>([
    [
      'an agent repeats its calls',
      [root({ attributes: agent }), child('l1', 1, { attributes: llm }), child('l2', 9, { attributes: llm })],
      30,
    ],
    ['an agent alone', [root({ attributes: agent })], 30],
    [
      'one call recorded twice',
      [root(), child('o', 1, { attributes: llm }), child('i', 2, { ...under('o'), attributes: llm })],
      15,
    ],
    [
      'a call around the call of an agent',
      [
        root(),
        child('o', 1, { attributes: llm }),
        child('t', 2, { ...under('o'), attributes: tool }),
        child('i', 3, { ...under('t'), attributes: llm }),
      ],
      30,
    ],
    ['none reported', [root(), child('t', 1, { attributes: tool })], null],
  ])('%s', (_, spans, total) => {
    const trace = build(spans);
    expect(trace.tokens.total).toBe(total);
    expect(trace.steps.reduce((sum, step) => sum + (step.tokens.total ?? 0), 0)).toBe(total ?? 0);
  });

  test('separately counted cached tokens belong to the input', () => {
    const attributes = { ...llm, 'gen_ai.usage.cache_read.input_tokens': 100 };
    expect(build([root({ attributes })]).tokens).toMatchObject({ input: 110, cacheRead: 100 });
  });
});

describe('agents', () => {
  test('are inherited from the nearest step above that has one', () => {
    const spans = [
      root({ attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'boss' } }),
      child('plan', 1),
      child('deep', 2, { parentSpanId: 'plan', attributes: llm }),
      child('sub', 20, { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' } }),
      child('call', 21, { parentSpanId: 'sub', attributes: llm }),
    ];
    const trace = build(spans);
    expect(trace.steps.map((step) => `${step.name}:${step.agent}`)).toEqual([
      'root:boss',
      'plan:boss',
      'deep:boss',
      'sub:helper',
      'call:helper',
    ]);
    expect(trace.agents).toEqual(['boss', 'helper']);
  });

  test('a node inside its own visit is not a second visit', () => {
    const node = { 'graphruntime.node.name': 'n' };
    const trace = build([
      root(),
      child('v', 1, { attributes: node }),
      child('in', 2, { parentSpanId: 'v', attributes: { ...node, ...llm } }),
      child('w', 9, { attributes: node }),
    ]);
    expect(trace.steps.map((step) => step.node)).toEqual([null, 'n', null, 'n']);
  });
});

test('synthetic times are not passed on', () => {
  const attributes = { 'misstep.step.kind': 'message', 'misstep.time.is_synthetic': true };
  const trace = build([makeSpan({ attributes, startNs: 5_000_000n, endNs: 6_000_000n })]);
  expect([trace.startedAtMs, trace.steps[0]?.startMs, trace.steps[0]?.endMs]).toEqual([null, null, null]);
});

const FIXTURES = [
  'langgraph/supervisor-healthy',
  'langgraph/planner-critic-loop',
  'vercel-ai7-legacy/generate-text-with-tool',
  'openinference/smolagents-managed-agent',
];
const spansOf = (fixture: string) =>
  decodeOtlpJson(readFileSync(join(import.meta.dirname, '../../../test/fixtures/conventions', `${fixture}.json`)))
    .spans;

/** A trace without span ids. */
const withoutIds = (trace: Trace) =>
  JSON.stringify(trace, (key, value) => (key === 'spanId' || key === 'traceId' ? undefined : value));

describe.each(FIXTURES)('%s gives the same trace', (fixture) => {
  const spans = spansOf(fixture);
  const expected = withoutIds(build(spans));

  test('in any order of spans', () => {
    const shuffled = fc.shuffledSubarray(spans, { minLength: spans.length });
    fc.assert(
      fc.property(shuffled, (order) => {
        expect(withoutIds(build(order))).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('for other ids', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e9 }), (salt) => {
        const rename = (id: string) => String((BigInt(`0x${id}`) * BigInt(salt)) % 18_446_744_073_709_551_557n);
        const renamed = spans.map((span) => ({
          ...span,
          spanId: rename(span.spanId),
          parentSpanId: span.parentSpanId === null ? null : rename(span.parentSpanId),
        }));
        expect(withoutIds(build(renamed))).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  test('in any order of attributes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer()), (numbers) => {
        const mixed = spans.map((span) => ({ ...span, attributes: shuffleKeys(span.attributes, numbers) }));
        expect(withoutIds(build(mixed))).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  test('when sent twice', () => {
    expect(withoutIds(build([...spans, ...spans]))).toBe(expected);
  });
});

function shuffleKeys(attributes: Span['attributes'], numbers: fc.Stream<number>): Span['attributes'] {
  const keyed = Object.entries(attributes).map((entry) => ({ entry, sortBy: numbers.next().value as number }));
  return Object.fromEntries(keyed.sort((a, b) => a.sortBy - b.sortBy).map(({ entry }) => entry));
}

test('no text of a trace holds NUL, and the spans are not changed', () => {
  const sent = root({
    name: 'a\0b',
    status: { code: 2, message: 'n\0o' },
    attributes: { 'gen_ai.agent.name': 'x\0y', 'input.value': { deep: ['a\0'], 'k\0': 1 } },
    resource: { 'service.name': 's\0' },
  });
  const before = structuredClone(sent);
  const trace = build([sent, child('c', 1)]);
  expect(JSON.stringify(trace)).not.toContain('\\u0000');
  expect(trace).toMatchObject({ name: 'ab', serviceName: 's', agents: ['xy'] });
  expect(sent).toEqual(before);
});

test('any spans give a trace with parents before their children', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const span = fc.record({
    spanId: ids,
    parentSpanId: fc.option(ids),
    startNs: fc.bigInt({ min: 0n, max: 5_000n }),
    endNs: fc.option(fc.bigInt({ min: 0n, max: 9_000n })),
    attributes: fc.dictionary(
      fc.constantFrom(
        'gen_ai.agent.name',
        'input.value',
        'metadata',
        'graphruntime.state',
        'gen_ai.usage.input_tokens',
        'langsmith.span.kind',
      ),
      fc.oneof(fc.json(), fc.string(), fc.integer()),
    ),
  });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (sent) => {
      const { steps } = build(sent.map((one) => makeSpan(one)));
      expect(steps).toHaveLength(new Set(sent.map((one) => one.spanId)).size);
      for (const step of steps) expect(step.parent === null || step.parent < step.index).toBe(true);
    }),
    { numRuns: 300 },
  );
});
