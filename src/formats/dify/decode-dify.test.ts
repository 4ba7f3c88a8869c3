import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeDify, isDify } from './decode-dify.ts';
import { isEventLog } from './event-log.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/dify');
const fixture = (name: string) => parseJson(readFileSync(join(FIXTURES, `${name}.json`), 'utf8'))!;
const traceOf = (spans: Span[]) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true });

const SECOND = 1_777_891_000;
const event = (name: string, data: JsonObject, extra: JsonObject = {}): JsonObject => ({
  event: name,
  task_id: 't1',
  workflow_run_id: 'r1',
  ...extra,
  data,
});
const node = (type: string, fields: JsonObject = {}): JsonObject => ({
  id: `x-${type}`,
  node_id: 'n1',
  node_type: type,
  title: 'Node',
  index: 1,
  status: 'succeeded',
  created_at: SECOND,
  elapsed_time: 0.25,
  ...fields,
});
const summary: JsonObject = {
  id: 'r1',
  status: 'failed',
  error: 'no such model',
  elapsed_time: 2.5,
  total_tokens: 9,
  total_steps: 2,
  created_at: SECOND,
  finished_at: SECOND + 3,
};

describe('isDify', () => {
  test.each<[string, Json, boolean]>([
    ['an event', event('node_started', node('code')), true],
    ['a ping', { event: 'ping' }, true],
    ['a list with a bad event in it', [event('node_started', {}), event('ping', {}), 7], true],
    ['a batch', { events: [event('workflow_started', {})] }, true],
    ['a page of logs', { page: 1, data: [1, { id: 'l', workflow_run: summary }] }, true],
    ['a blocking response', { task_id: 't1', workflow_run_id: 'r1', data: summary }, true],
    ['a run by its id', summary, true],
    ['an event of something else', { event: 'message', data: {} }, false],
    ['an unknown event', event('node_thought', {}), false],
    ['a record', { id: 'r', steps: [], status: 'ok' }, false],
  ])('%s', (_, value, expected) => {
    expect(isDify(value)).toBe(expected);
  });
});

test.each<[string, string, boolean]>([
  ['an event', 'data: {"event": "workflow_started"}', true],
  ['a ping first', 'event: ping\n\ndata: {"event": "workflow_started"}', true],
  ["another sender's stream", 'event: metadata\ndata: {"run_id": "1"}', false],
  ['lines of JSON', '{"event": "workflow_started"}', false],
])('a log of server-sent events is recognized by %s', (_, text, expected) => {
  expect(isEventLog(text)).toBe(expected);
});

describe('a run', () => {
  const events = fixture('failing-iteration') as JsonObject[];
  const whole = decodeDify(events);

  test('is the same as a list, as stream text and as single events', () => {
    const stream = events.map((one) => (one.event === 'ping' ? 'event: ping\n' : `data: ${JSON.stringify(one)}\n`));
    expect(decodeDify(stream.join('\n'))).toEqual(whole);
    expect(mergeSpans(events.flatMap((one) => decodeDify(one).spans))).toEqual(whole.spans);
  });

  test('has starts in whole seconds and keeps the order within a second', () => {
    const trace = traceOf(whole.spans);
    const cook = trace.steps.find(({ name }) => name === 'Cook')!;
    expect(Math.round(cook.startMs!)).toBe(SECOND * 1000 + 1000);
    expect(cook.endMs! - cook.startMs!).toBeCloseTo(1700);
    expect(trace.steps.map(({ name }) => name).slice(1, 4)).toEqual(['Start', 'Recipes', 'Cook']);
    expect(trace.costUsd).toBe(0.000525);
    expect(trace.steps[2]!.documents).toEqual([
      { id: 'seg-1', content: 'Leek soup: leeks, potatoes, stock.', score: 0.82 },
    ]);
  });

  test('that only began or is paused is running', () => {
    const began = [
      event('workflow_started', { id: 'r1', inputs: {}, created_at: SECOND }),
      event('node_started', node('llm')),
    ];
    expect(traceOf(decodeDify(began).spans).status).toBe('running');
    expect(traceOf(decodeDify([...began, event('workflow_paused', {})]).spans).steps).toHaveLength(2);
  });

  test('ends with the error of its stream, which names only the task', () => {
    const broken = [
      event('workflow_started', { id: 'r1', inputs: {}, created_at: SECOND }),
      { event: 'error', task_id: 't1', status: 400, code: 'completion_request_error', message: 'model overloaded' },
    ];
    const { error } = traceOf(decodeDify(broken).spans).steps[1]!;
    expect(error).toEqual({ type: 'completion_request_error', message: 'model overloaded' });
  });

  test('with its graph declares it', () => {
    const graph: JsonObject = {
      nodes: [
        { id: '1', data: { type: 'start', title: 'Begin' } },
        { id: '2', data: { type: 'end' } },
      ],
      edges: [
        { source: '1', target: '2' },
        { source: '9', target: '2' },
      ],
    };
    expect(traceOf(decodeDify(event('workflow_started', { id: 'r1', graph })).spans).graph).toEqual({
      nodes: [
        { name: 'Begin', type: 'start', isEntry: true },
        { name: '2', type: 'end', isEntry: false },
      ],
      edges: [{ from: 'Begin', to: '2' }],
    });
  });
});

describe('a node', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'that calls a tool',
      node('tool', { inputs: { q: 1 }, outputs: { text: 'one', files: [], json: [] } }),
      { kind: 'tool', tool: { name: 'Node', arguments: { q: 1 }, result: 'one', id: null } },
    ],
    [
      'that calls a service',
      node('http-request', { outputs: { status_code: 200, body: 'ok' } }),
      { kind: 'tool', output: '{"status_code":200,"body":"ok"}' },
    ],
    [
      'that is an agent',
      node('agent', { inputs: { task: 'Find' }, outputs: { text: 'Found' } }),
      { kind: 'agent', agent: 'Node', output: 'Found' },
    ],
    [
      'whose tokens are reported only in sum',
      node('llm', { outputs: { text: 'Hi' }, execution_metadata: { total_tokens: 12 } }),
      {
        kind: 'llm',
        tokens: { input: null, output: null, total: 12, cacheRead: null, cacheWrite: null, reasoning: null },
      },
    ],
    [
      'whose failure a branch took over',
      node('code', { status: 'exception', error: 'x is not defined' }),
      { status: 'error', error: { type: '', message: 'x is not defined' } },
    ],
    ['without a title', node('code', { title: '' }), { name: 'n1', node: 'n1', kind: 'other' }],
  ])('%s', (_, data, expected) => {
    const trace = traceOf(decodeDify(event('node_finished', data)).spans);
    expect(trace.steps[0]).toMatchObject(expected);
  });
});

describe('a summary', () => {
  test.each<[string, Json, string | null]>([
    ['of the logs', { data: [{ id: 'log', workflow_run: summary, created_by_end_user: { session_id: 'v' } }] }, 'v'],
    ['as an answer', { task_id: 't1', workflow_run_id: 'r1', data: summary }, null],
    ['by its id', summary, null],
  ])('%s gives only the run, with the same id as its events', (_, value, sessionId) => {
    const { spans } = decodeDify(value);
    const trace = traceOf(spans);
    expect(trace).toMatchObject({ status: 'error', framework: 'dify', sessionId, tokens: { total: 9 } });
    expect(trace.endedAtMs! - trace.startedAtMs!).toBe(2500);
    expect(spans[0]!.traceId).toBe(decodeDify(event('workflow_started', { id: 'r1' })).spans[0]!.traceId);
  });
});

test('an invalid event is rejected alone, and nothing throws', () => {
  const good = event('node_finished', node('llm'));
  const { spans, rejections } = decodeDify([
    good,
    7,
    { event: 'nothing' },
    { event: 'message', task_id: 'other' },
    good,
  ]);
  expect([spans.length, rejections.map(({ pointer }) => pointer)]).toEqual([1, ['/1', '/2']]);
  expect(decodeDify('data: {broken\n\ndata: [1]').rejections).toHaveLength(2);
  const malformed: Json[] = [null, 1, 'x', [], {}, [[1]], { a: 1 }];
  for (const name of ['workflow_started', 'workflow_finished', 'node_finished', 'node_retry', 'error'])
    for (const type of ['llm', 'tool', 'start', 'knowledge-retrieval', 'iteration'])
      for (const one of malformed) {
        const fields = {
          inputs: one,
          outputs: one,
          process_data: one,
          execution_metadata: one,
          graph: one,
          error: one,
        };
        decodeDify(event(name, node(type, { ...fields, created_at: one, elapsed_time: one, index: one, title: one })));
        decodeDify(event(name, one as JsonObject));
      }
});
