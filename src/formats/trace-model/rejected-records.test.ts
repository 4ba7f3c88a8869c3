import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Decoded } from '../../core/span.ts';
import type { RejectedRecords } from '../../core/trace.ts';
import { decodeDify } from '../dify/decode-dify.ts';
import { decodeThreadHistory } from '../langgraph-server/decode-history.ts';
import { decodeRunStream } from '../langgraph-server/decode-stream.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { decodeN8n } from '../n8n/decode-n8n.ts';
import { decodeOtlpJson } from '../otlp/decode-json.ts';
import { decodeOtlpProtobuf } from '../otlp/decode-protobuf.ts';
import { encodeOtlpProtobuf } from '../otlp/encode-protobuf.ts';
import { buildTrace } from './build-trace.ts';

type Found = RejectedRecords | null;

/** Rejected records of the only trace of a body. */
function rejectedIn({ spans }: Decoded): Found {
  return buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true }).rejectedRecords ?? null;
}

describe('node runs of n8n without a start', () => {
  const AT = 1_777_889_000_000;
  const run = (nth: number): JsonObject => ({
    startTime: AT + 100 * nth,
    executionIndex: nth,
    executionTime: 5,
    executionStatus: 'success',
  });
  const rejectedBy = (runData: JsonObject) =>
    rejectedIn(
      decodeN8n(
        {
          id: '7',
          mode: 'webhook',
          status: 'success',
          startedAt: '2026-05-04T10:03:20.000Z',
          workflowId: 'w',
          data: { resultData: { runData, lastNodeExecuted: 'Last' } },
        },
        AT,
      ),
    );

  test.each<[string, JsonObject, Found]>([
    ['none', { First: [run(0)], Last: [run(1)] }, null],
    [
      'one before the last node',
      { First: [run(0), null], Last: [run(1)] },
      { count: 1, afterStep: 1, isEndMissing: false },
    ],
    ['the last node', { First: [run(0)], Last: [null] }, { count: 1, afterStep: 1, isEndMissing: true }],
    ['all', { First: [null], Last: [7] }, { count: 2, afterStep: -1, isEndMissing: true }],
  ])('%s', (_, runData, expected) => expect(rejectedBy(runData)).toEqual(expected));
});

describe('events of Dify', () => {
  const SECOND = 1_777_891_000;
  const event = (name: string, data: JsonObject, run = 'r1'): JsonObject => ({
    event: name,
    task_id: `t-${run}`,
    workflow_run_id: run,
    data,
  });
  const started = (run = 'r1') => event('workflow_started', { id: run, created_at: SECOND }, run);
  const node = (nth: number) =>
    event('node_finished', {
      id: `n${nth}`,
      node_id: `n${nth}`,
      node_type: 'code',
      title: `Node ${nth}`,
      index: nth,
      status: 'succeeded',
      created_at: SECOND + nth,
      elapsed_time: 0.25,
    });

  test.each<[string, Json[], Found]>([
    ['none', [started(), node(1), node(2)], null],
    [
      'a broken line in the middle',
      [started(), node(1), null, node(2)],
      { count: 1, afterStep: 1, isEndMissing: false },
    ],
    ['a broken line at the end', [started(), node(1), node(2), null], { count: 1, afterStep: 2, isEndMissing: true }],
    [
      'an event without its run',
      [started(), node(1), { event: 'node_finished', data: {} }],
      { count: 1, afterStep: 1, isEndMissing: true },
    ],
    ['an event with a name that is not known', [started(), node(1), { event: 'node_thought' }], null],
  ])('%s', (_, events, expected) => expect(rejectedIn(decodeDify(events))).toEqual(expected));

  test('that name no run belong to none if the list has several', () => {
    const { spans } = decodeDify([started('r1'), started('r2'), null]);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('misstep.records.rejected');
  });
});

describe('checkpoints of a LangGraph thread', () => {
  const checkpoint = (step: number, run = 'run'): JsonObject => ({
    values: { n: step },
    next: [`node${step}`],
    tasks: [{ id: `t${step}`, name: `node${step}`, error: null }],
    metadata: { step, source: step < 0 ? 'input' : 'loop', run_id: run },
    created_at: `2026-01-01T00:00:0${step + 1}Z`,
    checkpoint: { thread_id: 'th', checkpoint_id: `c${step}` },
    parent_checkpoint: step < 0 ? null : { thread_id: 'th', checkpoint_id: `c${step - 1}` },
  });
  const bad = { ...checkpoint(9), created_at: 'yesterday' };

  test.each<[string, Json[], Found]>([
    ['none', [checkpoint(1), checkpoint(0), checkpoint(-1)], null],
    ['the newest', [bad, checkpoint(1), checkpoint(0), checkpoint(-1)], { count: 1, afterStep: 2, isEndMissing: true }],
    ['the oldest', [checkpoint(1), checkpoint(0), bad], { count: 1, afterStep: -1, isEndMissing: false }],
  ])('%s', (_, history, expected) => {
    const found = rejectedIn(decodeThreadHistory(history));
    expect(found === null ? null : [found.count, found.isEndMissing]).toEqual(
      expected === null ? null : [expected.count, expected.isEndMissing],
    );
  });

  test('count for the run of the checkpoint before them', () => {
    const { spans } = decodeThreadHistory([{ ...checkpoint(1, 'later') }, bad, checkpoint(0), checkpoint(-1)]);
    const marked = spans.filter(({ attributes }) => attributes['misstep.records.rejected'] === 1);
    expect(marked.map(({ attributes }) => attributes['langgraph.run_id'])).toEqual(['run']);
  });
});

test('a broken event of a LangGraph stream counts for its run', () => {
  const debug = (second: number, type: string, payload: object) =>
    `event: debug\ndata: ${JSON.stringify({ type, timestamp: `2026-01-01T00:00:0${second}Z`, payload })}\n\n`;
  const start = `event: metadata\ndata: {"run_id":"r"}\n\n${debug(0, 'task', { id: 't', name: 'a' })}`;
  const end = debug(1, 'task_result', { id: 't', name: 'a' });
  expect(rejectedIn(decodeRunStream(`${start}event: debug\ndata: {broken\n\n${end}`))).toMatchObject({
    count: 1,
    isEndMissing: false,
  });
  expect(rejectedIn(decodeRunStream(`${start}${end}event: debug\ndata: {broken\n\n`))).toMatchObject({
    count: 1,
    isEndMissing: true,
  });
});

describe('spans of OTLP', () => {
  const TRACE = '5f1d0c7ab83e4926a0d1e2f3948576c1';
  const span = (nth: number, fields: JsonObject = {}): JsonObject => ({
    traceId: TRACE,
    spanId: `${nth}`.repeat(16),
    parentSpanId: 'a'.repeat(16),
    name: `chat ${nth}`,
    startTimeUnixNano: `${1_790_000_000 + nth}000000000`,
    endTimeUnixNano: `${1_790_000_000 + nth}500000000`,
    attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }],
    ...fields,
  });
  const root = span(1, {
    spanId: 'a'.repeat(16),
    parentSpanId: '',
    name: 'run',
    attributes: [],
    endTimeUnixNano: '1790000009000000000',
  });
  const bad = (nth: number, fields: JsonObject = {}) => span(nth, { spanId: 'short', parentSpanId: 7, ...fields });
  const decoded = (spans: JsonObject[]) =>
    decodeOtlpJson(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));

  test.each<[string, JsonObject[], Found]>([
    ['none', [span(1), span(2), root], null],
    ['one in the middle', [span(1), bad(2), span(3), root], { count: 1, afterStep: 1, isEndMissing: false }],
    ['the last ones', [span(1), bad(2), bad(3), root], { count: 2, afterStep: 1, isEndMissing: true }],
    ['one whose trace id is unreadable', [span(1), bad(2, { traceId: 'x'.repeat(200) }), root], null],
  ])('%s', (_, spans, expected) => expect(rejectedIn(decoded(spans))).toEqual(expected));

  test('in protobuf as in JSON', () => {
    const sent = decoded([span(1), span(2), root]).spans.map((each, at) =>
      at === 1 ? { ...each, startNs: 2n ** 63n } : each,
    );
    const { spans, rejections } = decodeOtlpProtobuf(encodeOtlpProtobuf(sent));
    expect(rejections).toHaveLength(1);
    expect(rejectedIn({ spans, rejections })).toEqual({ count: 1, afterStep: 1, isEndMissing: true });
  });

  test('of several requests are counted together, each once', () => {
    const first = decoded([span(1), bad(2), span(3)]);
    const second = decoded([span(4), bad(5), bad(6), span(7)]);
    const third = decoded([span(8), root]);
    const spans = mergeSpans([...first.spans, ...second.spans, ...third.spans, ...first.spans]);
    expect(rejectedIn({ spans, rejections: [] })).toEqual({ count: 3, afterStep: 3, isEndMissing: false });
  });

  test('of a body without another span of the trace are not recorded', () => {
    expect(decoded([bad(1)]).spans).toEqual([]);
  });
});
