import { describe, expect, test } from 'vitest';
import type { Detection } from '../src/core/detection.ts';
import type { Attributes, Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { decodeOtlpJson } from '../src/formats/otlp/decode-json.ts';
import { encodeOtlpJson } from '../src/formats/otlp/encode-json.ts';
import { makeSpan } from './support/make-span.ts';

/** A visit of a node in the terms of the specification: node name, state, thread, checkpoint, agent, model and tokens. */
interface Visit {
  node: string;
  state: object;
  tokens?: number;
}

const START = 1_790_000_000_000_000_000n;
const THREAD = 'thread-7';

/** Whether each span also names a model and its tokens, as in the specification's example of a span. */
type Form = 'nodes alone' | 'nodes with a model';

function spansOf(visits: readonly Visit[], form: Form): Span[] {
  const at = (second: number) => START + BigInt(second) * 1_000_000_000n;
  const place = { traceId: '0af7651916cd43dd8448eb211c80319c', resource: { 'service.name': 'desk' } };
  const rootId = '00000000000000ff';
  const root = makeSpan({
    ...place,
    spanId: rootId,
    name: 'graph',
    startNs: at(0),
    endNs: at(99),
    status: { code: 1, message: '' },
  });
  const children = visits.map(({ node, state, tokens }, n) => {
    const attributes: Attributes = {
      'gen_ai.agent.name': node,
      'graphruntime.node.name': node,
      'graphruntime.state': JSON.stringify(state),
      'graphruntime.thread_id': THREAD,
      'graphruntime.checkpoint_id': `checkpoint-${n}`,
      ...(tokens === undefined && form === 'nodes alone'
        ? {}
        : {
            'gen_ai.request.model': 'gpt-4o',
            'gen_ai.usage.prompt_tokens': tokens ?? 1_500,
            'gen_ai.usage.completion_tokens': 200,
          }),
    };
    const spanId = (n + 1).toString(16).padStart(16, '0');
    return makeSpan({
      ...place,
      spanId,
      parentSpanId: rootId,
      name: node,
      startNs: at(n + 1),
      endNs: at(n + 2),
      attributes,
    });
  });
  return [root, ...children];
}

/** Encoded in the wire format, like a client. */
function detectionsIn(visits: readonly Visit[], form: Form): Detection[] {
  const { spans, rejections } = decodeOtlpJson(encodeOtlpJson(spansOf(visits, form)));
  expect(rejections).toEqual([]);
  // Enabled here because persona drift and derailment are in preview by default.
  const enabled = { persona_drift: true, derailment: true };
  const options = { isSettled: true, models: createModelCatalog(), tenant: { ...DEFAULT_DETECTION, enabled } };
  const { result } = analyzeSpans(spans, options);
  expect(result.crashed).toEqual([]);
  return result.detections.filter(({ severity }) => severity !== 'observation');
}

const QUESTION = 'Compare the fares of the ferry between Kiel and Gothenburg for two passengers.';
const RECIPE =
  'Whisk eggs with sugar, melt butter slowly, fold chocolate gently, bake twenty minutes, leave overnight, serve chilled, dusted lightly with cinnamon and the zest of a lemon.';
const FARES =
  'The ferry from Kiel to Gothenburg costs 98 euros for two passengers, and 140 euros with a cabin for the night.';
const NORA = 'You are Nora, the guide of the harbour museum.';
const TEXT =
  'The ferry leaves at noon from the pier behind the market hall, and the way back begins at six in the evening.';

const rounds = (count: number, nodes: readonly string[], stateIn: (round: number, node: string) => object): Visit[] =>
  Array.from({ length: count }, (_, round) => nodes.map((node) => ({ node, state: stateIn(round, node) }))).flat();
const CYCLE = ['planner', 'executor', 'critic'];

/** Category, a run with the fault, the expected detection and step, and the same run without the fault. */
const CATEGORIES: [name: string, faulty: Visit[], found: string, step: number, healthy: Visit[]][] = [
  [
    'loop: an identical state',
    rounds(3, CYCLE, () => ({ plan: 'van' })),
    'loop/cyclic',
    4,
    rounds(3, CYCLE, (round) => ({ plan: `van ${'abc'[round]}` })),
  ],
  [
    'loop: a state that only counts',
    rounds(3, CYCLE, (round) => ({ plan: 'van', round })),
    'loop/cyclic',
    4,
    rounds(3, CYCLE, (round) => ({ plan: 'van', found: ['x', 'y', 'z'].slice(0, round), round })),
  ],
  [
    'state corruption: a probability above one',
    [
      { node: 'planner', state: { plan: 'van', probability: 0.4 } },
      { node: 'executor', state: { plan: 'van', probability: 4.2 } },
    ],
    'state_corruption/bounds',
    2,
    [
      { node: 'planner', state: { plan: 'van', probability: 0.4 } },
      { node: 'executor', state: { plan: 'van', probability: 0.9 } },
    ],
  ],
  [
    'context overflow: tokens build up from node to node',
    ['planner', 'researcher', 'writer', 'critic', 'editor'].map((node, n) => ({
      node,
      state: { n: `part ${n}` },
      tokens: 20_000 + n * 16_000,
    })),
    'context_overflow/growth',
    5,
    ['planner', 'researcher', 'writer', 'critic', 'editor'].map((node, n) => ({
      node,
      state: { n: `part ${n}` },
      tokens: 2_000 + n * 160,
    })),
  ],
  [
    'coordination failure: nodes pass the work back and forth',
    [
      ...rounds(3, ['sales', 'billing'], (_, node) => ({
        request: 'a refund',
        next: node === 'sales' ? 'billing' : 'sales',
      })),
      { node: 'sales', state: { request: 'a refund', next: 'END' } },
    ],
    'coordination/handoff_ping_pong',
    1,
    [
      { node: 'sales', state: { request: 'a refund', next: 'billing' } },
      { node: 'billing', state: { request: 'a refund', answer: 'The refund is paid.', next: 'END' } },
    ],
  ],
  [
    'task derailment: an answer about something else',
    [
      { node: 'planner', state: { question: QUESTION } },
      { node: 'writer', state: { question: QUESTION, answer: RECIPE } },
    ],
    'derailment/unrelated_answer',
    2,
    [
      { node: 'planner', state: { question: QUESTION } },
      { node: 'writer', state: { question: QUESTION, answer: FARES } },
    ],
  ],
  [
    'persona drift: another name inside the state',
    [
      { node: 'guide', state: { system_prompt: NORA, reply: 'Welcome to the harbour museum.' } },
      { node: 'guide', state: { system_prompt: NORA, reply: 'My name is Gemma, a model trained by a laboratory.' } },
    ],
    'persona_drift/identity_changed',
    2,
    [
      { node: 'guide', state: { system_prompt: NORA, reply: 'Welcome to the harbour museum.' } },
      { node: 'guide', state: { system_prompt: NORA, reply: 'My name is Nora, your guide through the museum.' } },
    ],
  ],
  [
    'workflow design: the next node does not exist',
    [
      { node: 'planner', state: { draft: '', next: 'writer' } },
      { node: 'writer', state: { draft: TEXT, next: 'ilustrator' } },
    ],
    'workflow_design/dangling_route',
    2,
    [
      { node: 'planner', state: { draft: '', next: 'writer' } },
      { node: 'writer', state: { draft: TEXT, next: 'END' } },
    ],
  ],
];

describe.each<Form>(['nodes alone', 'nodes with a model'])('%s', (form) => {
  test.each(CATEGORIES)('%s', (_, faulty, found, step, healthy) => {
    const results = detectionsIn(faulty, form).map(({ type, subtype, step: at }) => `${type}/${subtype} @${at}`);
    expect(results).toContain(`${found} @${step}`);
    expect(detectionsIn(healthy, form).map(({ type, subtype }) => `${type}/${subtype}`)).toEqual([]);
  });
});

test('evidence of a state names its span', () => {
  for (const [, faulty, found] of CATEGORIES) {
    const detection = detectionsIn(faulty, 'nodes with a model').find(
      ({ type, subtype }) => `${type}/${subtype}` === found,
    );
    expect(detection?.evidence.length, found).toBeGreaterThan(0);
    for (const { spanId } of detection?.evidence ?? []) expect(spanId, found).toMatch(/^0{15}[1-9a-f]$/);
  }
});
