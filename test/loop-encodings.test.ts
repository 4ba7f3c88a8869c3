import { expect, test } from 'vitest';
import type { Attributes, Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { makeSpan } from './support/make-span.ts';

/** One turn of an agent: its name, its message, and the state after it. */
interface Turn {
  name: string;
  text: string;
  state: object;
}
type Encoding = (turn: Turn) => Attributes;

const MESSAGES = {
  planner: 'List the steps of the move.',
  executor: 'The van is not booked.',
  critic: 'Plan it again.',
};
const assistant = (text: string) => JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]);

/** The same turn in each convention. */
const ENCODINGS: Record<string, Encoding> = {
  graphruntime: ({ name, state }) => ({
    'graphruntime.node.name': name,
    'graphruntime.state': JSON.stringify(state),
    'graphruntime.thread_id': 'thread-1',
  }),
  'graphruntime with model': ({ name, state }) => ({
    'gen_ai.agent.name': name,
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.prompt_tokens': 200,
    'gen_ai.usage.completion_tokens': 20,
    'graphruntime.node.name': name,
    'graphruntime.state': JSON.stringify(state),
  }),
  openinference: ({ name, text }) => ({
    'openinference.span.kind': 'AGENT',
    'agent.name': name,
    'graph.node.id': name,
    'output.value': text,
  }),
  'openinference of langgraph': ({ name, text, state }) => ({
    'openinference.span.kind': 'CHAIN',
    'input.value': JSON.stringify(state),
    'output.value': JSON.stringify({ note: text }),
    metadata: JSON.stringify({ langgraph_node: name }),
  }),
  'otel gen_ai': ({ name, text }) => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.output.messages': assistant(text),
  }),
  'otel gen_ai chat': ({ name, text }) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.agent.name': name,
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.output.messages': assistant(text),
  }),
  'traceloop agent': ({ name, text }) => ({
    'traceloop.span.kind': 'agent',
    'traceloop.entity.name': name,
    'traceloop.entity.output': text,
  }),
  'traceloop of langgraph': ({ name, text }) => ({
    'traceloop.span.kind': 'task',
    'traceloop.entity.name': name,
    'traceloop.association.properties.langgraph_node': name,
    'traceloop.entity.output': JSON.stringify({ outputs: { note: text } }),
  }),
};

const START = 1_790_000_000_000_000_000n;

function spansOf(turns: readonly Turn[], encode: Encoding): Span[] {
  const at = (second: number) => START + BigInt(second) * 1_000_000_000n;
  const root = makeSpan({
    spanId: 'root',
    name: 'run',
    startNs: at(0),
    endNs: at(99),
    status: { code: 1, message: '' },
  });
  const members = turns.map((turn, n) =>
    makeSpan({
      spanId: `turn-${n}`,
      parentSpanId: 'root',
      name: turn.name,
      startNs: at(n + 1),
      endNs: at(n + 2),
      attributes: encode(turn),
    }),
  );
  return [root, ...members];
}

function roundsOf(rounds: number, changesOf: (name: string, round: number) => Partial<Turn>): Turn[] {
  return Array.from({ length: rounds }, (_, round) =>
    Object.entries(MESSAGES).map(([name, text]) => ({ name, text, state: { plan: 'van' }, ...changesOf(name, round) })),
  ).flat();
}

function detectionsIn(spans: readonly Span[]) {
  const models = createModelCatalog();
  return analyzeSpans([...spans], { isSettled: true, models, tenant: DEFAULT_DETECTION }).result.detections;
}

function loopsIn(spans: readonly Span[]) {
  const loops = detectionsIn(spans).filter(({ type, severity }) => type === 'loop' && severity !== 'observation');
  return loops.map(({ subtype, step, spanIds }) => ({ subtype, step, spanIds }));
}

const encodings = Object.entries(ENCODINGS);

test.each(encodings)('%s: a cycle that changes nothing is found at the same steps', (_, encode) => {
  const spanIds = Array.from({ length: 12 }, (__, n) => `turn-${n}`);
  expect(
    loopsIn(
      spansOf(
        roundsOf(4, () => ({})),
        encode,
      ),
    ),
  ).toEqual([{ subtype: 'cyclic', step: 4, spanIds }]);
});

test.each(encodings)('%s: rounds that differ are not a cycle', (_, encode) => {
  const turns = roundsOf(4, (name, round) =>
    name === 'executor'
      ? { text: `Van ${round} is booked.`, state: { plan: 'van', vans: `van ${round}` } }
      : { state: { plan: 'van', vans: `van ${round - 1}` } },
  );
  expect(loopsIn(spansOf(turns, encode))).toEqual([]);
});

test.each(encodings)('%s: orders that differ in their UUIDs are no cycle', (_, encode) => {
  const turns = roundsOf(5, (name, round) => {
    const order = `0000000${round}-1111-4222-8333-444444444444`;
    return { text: `${name} is done with order ${order}.`, state: { order } };
  });
  expect(loopsIn(spansOf(turns, encode))).toEqual([]);
});

test.each(encodings)('%s: rounds followed by another agent raise no alarm in a successful run', (_, encode) => {
  const turns = roundsOf(4, (__, round) => ({ state: { sent: round } }));
  const last = {
    name: 'clerk',
    text: 'All four letters are sent, and the list is empty.',
    state: { sent: 4, done: true },
  };
  const found = detectionsIn(spansOf([...turns, last], encode)).filter(({ type }) => type === 'loop');
  expect(found).toMatchObject([{ subtype: 'cyclic', step: 4, severity: 'info' }]);
});

const WITH_STATE = encodings.filter(([name]) => name.startsWith('graphruntime'));

test.each(WITH_STATE)(
  '%s: clocks, a countdown and a counter next to a longer list do not hide a cycle',
  (_, encode) => {
    let step = 0;
    const turns = roundsOf(4, (__, round) => {
      step += 1;
      const clock = { updated: 1_790_000_000 + 7 * step, remaining_steps: 25 - step };
      return { state: { plan: 'van', rules: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], round, ...clock } };
    });
    expect(loopsIn(spansOf(turns, encode))).toMatchObject([{ subtype: 'cyclic', step: 4 }]);
  },
);

test.each(WITH_STATE)('%s: a number that counts through a list is progress', (_, encode) => {
  const turns = roundsOf(4, (__, round) => ({ state: { orders: ['a', 'b', 'c', 'd'], index: round } }));
  expect(loopsIn(spansOf(turns, encode))).toEqual([]);
});

/** Handoffs between two agents by a tool, as OpenTelemetry records the calls. */
function handoffRun(times: number): Span[] {
  const at = (second: number) => START + BigInt(second) * 1_000_000_000n;
  const root = makeSpan({ spanId: 'root', name: 'run', startNs: at(0), endNs: at(99) });
  const calls = Array.from({ length: times }, (_, n) => {
    const [from, to] = n % 2 === 0 ? ['sales', 'billing'] : ['billing', 'sales'];
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': from,
      'gen_ai.tool.name': `transfer_to_${to}`,
      'gen_ai.tool.call.result': 'Transferred.',
    };
    const place = { spanId: `turn-${n}`, parentSpanId: 'root', startNs: at(n + 1), endNs: at(n + 2) };
    return makeSpan({ ...place, name: `execute_tool transfer_to_${to}`, attributes });
  });
  return [root, ...calls];
}

test('a handoff by a tool counts once, and four of them back and forth are reported', () => {
  const found = (times: number) =>
    detectionsIn(handoffRun(times)).filter(({ subtype }) => subtype === 'handoff_ping_pong');
  expect(found(5)).toMatchObject([{ step: 1, spanIds: ['turn-0', 'turn-1', 'turn-2', 'turn-3', 'turn-4'] }]);
  expect(found(4)).toMatchObject([{ step: 1, spanIds: ['turn-0', 'turn-1', 'turn-2', 'turn-3'] }]);
  expect(found(3)).toEqual([]);
});
