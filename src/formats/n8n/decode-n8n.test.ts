import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compactTrace } from '../../../test/support/compact-trace.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeN8n, isN8n } from './decode-n8n.ts';
import { executionTraceId } from './execution-span.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/n8n');
const NOW = 1_777_890_000_000;
const AT = 1_777_889_000_000;

const fixture = (name: string) => parseJson(readFileSync(join(FIXTURES, `${name}.json`), 'utf8'))!;
const traceOf = (spans: Span[]) => buildTrace(spans, { models: EMPTY_CATALOG, isSettled: true });

function execution(runData: JsonObject, extra: JsonObject = {}): JsonObject {
  const data = { resultData: { runData, lastNodeExecuted: 'Last' } };
  return {
    id: '7',
    mode: 'webhook',
    status: 'success',
    startedAt: '2026-05-04T10:03:20.000Z',
    workflowId: 'w',
    data,
    ...extra,
  };
}

const run = (fields: JsonObject = {}): JsonObject => ({
  startTime: AT,
  executionTime: 5,
  executionStatus: 'success',
  ...fields,
});
const out = (...items: Json[]): JsonObject => ({ main: [items.map((json) => ({ json }))] });

describe('isN8n', () => {
  test.each<[string, Json, boolean]>([
    ['an execution', execution({}), true],
    ['an execution of an old server', { id: 7, finished: true, mode: 'cli', startedAt: 'x', workflowId: 3 }, true],
    ['a page', { data: [1, execution({})], nextCursor: null }, true],
    ['an empty page', { data: [], nextCursor: null }, false],
    ['a page of workflows', { data: [{ id: 'w', name: 'x', nodes: [], connections: {} }], nextCursor: null }, false],
    ['an error notice', { execution: { error: { message: 'x' } }, workflow: { id: 'w' } }, true],
    ['a broken trigger', { trigger: { error: { message: 'x' } }, workflow: { id: 'w' } }, true],
    ['a last node', { executionId: '1', workflowId: 'w' }, true],
    ['a record', { id: '1', steps: [] }, false],
    ['a list', [], false],
  ])('%s', (_, value, expected) => {
    expect(isN8n(value)).toBe(expected);
  });
});

describe('an execution', () => {
  test('keeps the order of the execution index for any order of keys and equal times', () => {
    const { spans } = decodeN8n(
      execution({
        Zeta: [run({ executionIndex: 0 })],
        Alpha: [run({ executionIndex: 2 }), run({ executionIndex: 1 })],
      }),
      NOW,
    );
    const places = traceOf(spans).steps.map(({ name, spanId }) => `${name} ${spanId}`);
    expect(places.map((place) => place.split(' ')[0])).toEqual(['workflow', 'Zeta', 'Alpha', 'Alpha']);
    expect(spans.map(({ attributes }) => attributes['n8n.node.run'])).toEqual([undefined, 0, 1, 0]);
  });

  test.each<[string, JsonObject, string]>([
    ['succeeded', { status: 'success', stoppedAt: '2026-05-04T10:03:21.000Z' }, 'ok'],
    ['failed', { status: 'error', stoppedAt: '2026-05-04T10:03:21.000Z' }, 'error'],
    ['crashed without an end', { status: 'crashed', stoppedAt: null }, 'error'],
    ['was stopped by a user', { status: 'canceled', stoppedAt: '2026-05-04T10:03:21.000Z' }, 'ok'],
    ['waits', { status: 'waiting', stoppedAt: '2026-05-04T10:03:21.000Z' }, 'running'],
    ['runs', { status: 'running', stoppedAt: null }, 'running'],
    ['failed on an old server', { status: null, finished: false, stoppedAt: '2026-05-04T10:03:21.000Z' }, 'error'],
  ])('that %s', (_, fields, status) => {
    expect(traceOf(decodeN8n(execution({}, fields), NOW).spans).status).toBe(status);
  });

  test('an invalid node run is rejected alone', () => {
    const { spans, rejections } = decodeN8n(execution({ 'a/b': [null, run(), { startTime: 'x' }], c: 7 }), NOW);
    expect(spans.map(({ name }) => name)).toEqual(['workflow w', 'a/b']);
    expect(rejections.map(({ pointer }) => pointer)).toEqual([
      '/data/resultData/runData/a~1b/0',
      '/data/resultData/runData/a~1b/2',
      '/data/resultData/runData/c/0',
    ]);
  });

  test('an invalid execution is rejected alone', () => {
    const { spans, rejections } = decodeN8n(
      { data: [execution({}), { id: '8' }, execution({}, { workflowId: '' })] },
      NOW,
    );
    expect([spans.length, rejections.map(({ pointer }) => pointer)]).toEqual([1, ['/data/1', '/data/2']]);
  });

  test('has the input of its nodes: the output of the previous node, without request headers', () => {
    const nodes = [
      { name: 'Hook', type: 'n8n-nodes-base.webhook' },
      { name: 'Last', type: 'n8n-nodes-base.slack' },
    ];
    const request = { headers: { cookie: 'c' }, query: {}, body: { task: 'Water' }, webhookUrl: 'https://x.example' };
    const value = execution(
      {
        Hook: [run({ data: out(request) })],
        Last: [run({ source: [null, { previousNode: 'Hook' }], data: out({ ok: 1 }) })],
      },
      { workflowData: { name: 'Pots', nodes, connections: { Hook: { main: [[{ node: 'Last' }], null] } } } },
    );
    const trace = traceOf(decodeN8n(value, NOW).spans);
    expect(trace).toMatchObject({ name: 'Pots', task: 'Water', finalOutput: null });
    expect(trace.steps[2]).toMatchObject({ kind: 'tool', tool: { arguments: { task: 'Water' }, result: { ok: 1 } } });
    expect(trace.graph).toEqual({
      nodes: [
        { name: 'Hook', type: 'n8n-nodes-base.webhook', isEntry: true, callsOut: false, isGuarded: false },
        { name: 'Last', type: 'n8n-nodes-base.slack', isEntry: false, callsOut: true, isGuarded: false },
      ],
      edges: [{ from: 'Hook', to: 'Last' }],
    });
    expect(JSON.stringify(trace)).not.toContain('cookie');
  });

  const REQUEST = {
    headers: { host: 'x.example', cookie: 'c' },
    params: {},
    query: {},
    body: { amount: 12 },
    webhookUrl: 'https://x.example',
    executionMode: 'production',
  };

  test.each<[string, JsonObject, Json]>([
    ['a field', { ...REQUEST, receipt: 'R7' }, { body: { amount: 12 }, receipt: 'R7' }],
    ['a failure', { ...REQUEST, error: 'declined' }, { body: { amount: 12 }, error: 'declined' }],
    ['nothing', REQUEST, { body: { amount: 12 } }],
    ['its own headers', { headers: { total: 1 }, body: 'x' }, { headers: { total: 1 }, body: 'x' }],
    [
      'a field next to the failed run',
      { execution: { id: '3', error: { message: 'x' } }, workflow: { id: 'w' }, team: 'ops' },
      { execution: { id: '3' }, workflow: { id: 'w' }, team: 'ops' },
    ],
  ])('a node behind a webhook that adds %s', (_, json, kept) => {
    const nodes = [
      { name: 'Hook', type: 'n8n-nodes-base.webhook' },
      { name: 'Last', type: 'n8n-nodes-base.set' },
      { name: 'After', type: 'n8n-nodes-base.set' },
    ];
    const value = execution(
      {
        Hook: [run({ executionIndex: 0, data: out(REQUEST) })],
        Last: [run({ executionIndex: 1, source: [{ previousNode: 'Hook' }], data: out(json) })],
        After: [run({ executionIndex: 2, source: [{ previousNode: 'Last' }], data: out({}) })],
      },
      { workflowData: { name: 'Pay', nodes, connections: {} } },
    );
    const { steps } = traceOf(decodeN8n(value, NOW).spans);
    expect(parseJson(steps[2]!.input)).toEqual({ amount: 12 });
    expect(parseJson(steps[2]!.output)).toEqual(kept);
    expect(parseJson(steps[3]!.input)).toEqual(kept);
  });

  test.each<[string, JsonObject, Json]>([
    [
      'a file',
      { json: {}, binary: { scan: { fileName: 'a.pdf', mimeType: 'application/pdf', data: 'AAAA' } } },
      { binary: { scan: { fileName: 'a.pdf', mimeType: 'application/pdf' } } },
    ],
    [
      'a failure next to its data',
      { json: { row: 3 }, error: { message: 'no such row', stack: 'at x' } },
      { row: 3, error: 'no such row' },
    ],
    ['a path parameter', { json: { ...REQUEST, params: { id: '7' } } }, { params: { id: '7' }, body: { amount: 12 } }],
  ])('an item with %s', (_, item, kept) => {
    const { spans } = decodeN8n(execution({ Last: [run({ data: { main: [[item]] } })] }), NOW);
    expect(parseJson(traceOf(spans).steps[1]!.output)).toEqual(kept);
  });

  /** A node that continues after a failure, the node on its first output, and optionally one on its last output. */
  function continuing(onError: string, outputs: Json[][], given: Json[], asks = '={{ $json.ok }}', last = false): Span {
    const nodes: JsonObject[] = [
      { name: 'Rows', type: 'n8n-nodes-base.set' },
      { name: 'Pay', type: 'n8n-nodes-base.executeWorkflow', onError },
      { name: 'Next', type: 'n8n-nodes-base.if', parameters: { conditions: [asks] } },
    ];
    const to = [[{ node: 'Next', type: 'main' }], last ? [{ node: 'Next', type: 'main' }] : []];
    const main = outputs.map((items) => items.map((json) => ({ json })));
    const value = execution(
      { Rows: [run({ data: out(...given) })], Pay: [run({ source: [{ previousNode: 'Rows' }], data: { main } })] },
      { workflowData: { name: 'Shop', nodes, connections: { Pay: { main: to } } } },
    );
    return decodeN8n(value, NOW).spans.find(({ name }) => name === 'Pay')!;
  }

  const DECLINED = { error: 'card declined' };

  test.each<[string, Span, string, string | undefined]>([
    [
      'passes the failure on',
      continuing('continueRegularOutput', [[DECLINED]], [{ n: 1 }]),
      'card declined',
      'error_item',
    ],
    [
      'fails for one of three',
      continuing('continueRegularOutput', [[{ n: 1 }, DECLINED, { n: 3 }]], [{ n: 1 }]),
      'card declined (1 of 3 items)',
      'error_item',
    ],
    [
      'has its failure handled by the next node',
      continuing('continueRegularOutput', [[DECLINED]], [{ n: 1 }], '={{ $json.error }}'),
      'card declined',
      'fail_branch',
    ],
    [
      'drops what failed',
      continuing('continueErrorOutput', [[], [DECLINED]], [{ n: 1 }]),
      'card declined',
      'dropped_item',
    ],
    [
      'has an error output',
      continuing('continueErrorOutput', [[], [DECLINED]], [{ n: 1 }], '', true),
      'card declined',
      'fail_branch',
    ],
    [
      'drops an item without a message',
      continuing('continueErrorOutput', [[{ n: 1 }], [{ n: 2 }]], [{ n: 1 }]),
      'The item left the node by its error output. (1 of 2 items)',
      'dropped_item',
    ],
    [
      'fails for all of many items',
      continuing('continueRegularOutput', [Array(500).fill(DECLINED)], [{ n: 1 }]),
      'card declined',
      'error_item',
    ],
    [
      'fails for the last of many items',
      continuing('continueRegularOutput', [[...Array(450).fill({ n: 1 }), ...Array(50).fill(DECLINED)]], [{ n: 1 }]),
      'card declined (50 of 500 items)',
      'error_item',
    ],
    [
      'passes on many earlier failures',
      continuing('continueRegularOutput', [Array(500).fill(DECLINED)], [...Array(300).fill({ n: 1 }), DECLINED]),
      '',
      undefined,
    ],
    [
      'returns a row with a text under `error`',
      continuing('continueRegularOutput', [[{ id: 7, error: 'Customer reported error 42' }]], [{ n: 1 }]),
      '',
      undefined,
    ],
    [
      'fails and keeps its input data',
      continuing('continueRegularOutput', [[{ n: 1, error: 'card declined' }]], [{ n: 1 }]),
      'card declined',
      'error_item',
    ],
    [
      'passes on an earlier failure with its data',
      continuing('continueRegularOutput', [[{ n: 1, error: 'card declined' }]], [{ n: 1, error: 'card declined' }]),
      '',
      undefined,
    ],
    ['passes on an earlier failure', continuing('continueRegularOutput', [[DECLINED]], [DECLINED]), '', undefined],
    ['works', continuing('continueErrorOutput', [[{ n: 1 }], []], [{ n: 1 }]), '', undefined],
    ['stops when it fails', continuing('stopWorkflow', [[DECLINED]], [{ n: 1 }]), '', undefined],
  ])('a node that continues and %s', (_, span, message, errorFallback) => {
    expect([span.status.message, span.attributes['misstep.taken_over_by']]).toEqual([message, errorFallback]);
  });

  test('a node that names one large source thousands of times is read once', () => {
    const nodes: JsonObject[] = [
      { name: 'Rows', type: 'n8n-nodes-base.set' },
      { name: 'Pay', type: 'n8n-nodes-base.executeWorkflow', onError: 'continueRegularOutput' },
    ];
    const value = execution(
      {
        Rows: [run({ data: out(...Array(40_000).fill({})) })],
        Pay: [run({ source: Array(20_000).fill({ previousNode: 'Rows' }), data: out(DECLINED) })],
      },
      { workflowData: { name: 'Shop', nodes, connections: {} } },
    );
    const { spans, rejections } = decodeN8n(value, NOW);
    expect(rejections).toEqual([]);
    expect(spans.find(({ name }) => name === 'Pay')!.status.message).toBe('card declined');
  });

  const LIMIT = {
    workflowData: {
      name: 'Slow',
      settings: { executionTimeout: 2 },
      nodes: [],
      connections: { Last: { main: [[{ node: 'Call', type: 'main' }]] } },
    },
  };
  const STOPPED = { name: 'ManualExecutionCancelledError', message: 'The execution was cancelled manually' };
  const SHUT_DOWN = {
    name: 'SystemShutdownExecutionCancelledError',
    message: 'The execution was cancelled because the system is shutting down',
  };
  const cancelled = (stoppedAt: string, error: Json, extra: JsonObject = LIMIT) => {
    const data = { resultData: { runData: {}, lastNodeExecuted: 'Last', error } };
    return decodeN8n(
      execution({}, { status: 'canceled', stoppedAt: `2026-05-04T10:03:${stoppedAt}Z`, data, ...extra }),
      NOW,
    ).spans;
  };

  test.each<[string, Span[], string]>([
    ['without an error after its limit', cancelled('22.004', null), 'timed out after 2 seconds; Call had not finished'],
    ['manually, according to n8n, after its limit', cancelled('22.000', STOPPED), 'timed out after 2 seconds'],
    ['by a shutdown, according to n8n, after its limit', cancelled('23.000', SHUT_DOWN), 'timed out after 2 seconds'],
    ['by its own error', cancelled('22.004', { name: 'Error', message: 'out of paper' }), 'out of paper'],
    ['manually before its limit', cancelled('21.500', STOPPED), ''],
    ['manually without a limit', cancelled('59.000', STOPPED, {}), ''],
  ])('an execution cancelled %s', (_, spans, message) => {
    expect(spans[0]!.status.message).toContain(message);
    expect(spans[0]!.status.code).toBe(message === '' ? 0 : 2);
  });

  test('a node run names the executions that it started', () => {
    const metadata = { subExecution: { executionId: '279', workflowId: 'wfSub01' } };
    const steps = traceOf(decodeN8n(execution({ Ask: [run({ metadata })], Last: [run()] }), NOW).spans).steps;
    expect(steps.find(({ name }) => name === 'Ask')!.startedRuns).toEqual([{ id: '279', workflow: 'wfSub01' }]);
    expect(steps.find(({ name }) => name === 'Last')!.startedRuns).toBeUndefined();
  });

  test('the node that an execution ran when it timed out is a node run without an end', () => {
    const [, open] = cancelled('22.004', null);
    expect(open).toMatchObject({ name: 'Call', endNs: null, status: { code: 0 } });
    expect(open!.attributes['graphruntime.node.name']).toBe('Call');
    expect(cancelled('21.500', STOPPED)).toHaveLength(1);
  });

  test.each<[string, JsonObject, number | undefined]>([
    ['a fixed time', { resume: 'timeInterval', amount: 20, unit: 'seconds' }, 20_000],
    ['minutes', { resume: 'timeInterval', amount: 1.5, unit: 'minutes' }, 90_000],
    ['a time of an expression', { resume: 'timeInterval', amount: '={{ $json.pause }}', unit: 'seconds' }, undefined],
    ['a date', { resume: 'specificTime', amount: 20, unit: 'seconds' }, undefined],
    ['a call', { resume: 'webhook' }, undefined],
    ['a time without its unit', { amount: 20 }, undefined],
  ])('a wait node pauses for %s', (_, parameters, pauseMs) => {
    const workflowData = { nodes: [{ name: 'A', type: 'n8n-nodes-base.wait', parameters }], connections: {} };
    const { graph } = traceOf(decodeN8n(execution({}, { workflowData }), NOW).spans);
    expect(graph!.nodes[0]!.pauseMs).toBe(pauseMs);
  });

  test.each<[string, JsonObject, boolean]>([
    ['whose edges name its nodes', { A: { main: [[{ node: 'B' }]] } }, true],
    ['with an edge to a missing node', { A: { main: [[{ node: 'C' }]] } }, false],
    ['with an edge from a missing node', { 'id-a': { main: [[{ node: 'B' }]] } }, false],
  ])('a declared graph %s', (_, connections, isDeclared) => {
    const nodes = [
      { id: 'id-a', name: 'A', type: 'n8n-nodes-base.webhook' },
      { id: 'id-b', name: 'B', type: 'x' },
    ];
    const { spans } = decodeN8n(execution({}, { workflowData: { name: 'Drawn', nodes, connections } }), NOW);
    expect(traceOf(spans).graph !== null).toBe(isDeclared);
  });

  test('an error workflow is marked, names the failed run, and does not repeat its error', () => {
    const { spans } = decodeN8n(fixture('failing-page'), NOW);
    const [alarm] = spans;
    const failed = spans.find(({ name }) => name === 'Parcel labels')!;
    expect(alarm!.attributes['n8n.mode']).toBe('error');
    expect(alarm!.links).toMatchObject([{ traceId: failed.traceId, spanId: failed.spanId }]);
    const text = JSON.stringify(
      spans.filter(({ traceId }) => traceId === alarm!.traceId),
      bigIntsAsText,
    );
    expect(text).not.toMatch(/503|offline|authorization/);
  });

  test('a node and the executions it started link to each other, also after a failure', () => {
    const { spans } = decodeN8n(fixture('program/executions'), NOW);
    const linksOf = (name: string) =>
      spans
        .filter((span) => span.name === name)
        .flatMap(({ links }) => links.map(({ traceId, attributes }) => [traceId, attributes['n8n.link']]));
    const idOf = (executionId: string, workflowId: string) => executionTraceId({ workflowId, executionId });
    const children = ['49', '50', '51'].map((id) => [idOf(id, 'wfScale0000001'), 'sub_execution']);
    expect(linksOf('Weigh crate').sort()).toEqual(children.sort());
    expect(linksOf('Scale')).toEqual(Array(3).fill([idOf('48', 'wfHerbs0000007'), 'parent_execution']));
    expect(linksOf('Alarm')).toEqual([[idOf('43', 'wfHerbs0000003'), 'failed_execution']]);
  });

  test('a retried node has its attempts as events', () => {
    const { spans } = decodeN8n(fixture('failing-page'), NOW);
    const node = spans.find(({ name }) => name === 'Print label')!;
    expect(node.attributes).toMatchObject({ 'error.type': '503', 'n8n.attempts': 3 });
    expect(node.events.map(({ name }) => name)).toEqual(['attempt', 'attempt', 'attempt']);
    expect(node.status.message).toMatch(/^Service unavailable.*\(depot offline\)$/);
  });
});

describe('a node', () => {
  const failing = (settings: JsonObject, type = 'n8n-nodes-base.httpRequest'): Span => {
    const nodes = [{ name: 'Ask', type, ...settings }];
    const runData = { Ask: [{ startTime: AT, error: { message: 'no', name: 'NodeApiError' } }] };
    const { spans } = decodeN8n(execution(runData, { workflowData: { name: 'w', nodes, connections: {} } }), NOW);
    return spans.find(({ name }) => name === 'Ask')!;
  };

  test.each<[string, JsonObject, object]>([
    ['no retry', {}, { attempts: 1, onError: 'stop' }],
    ['defaults of a retry', { retryOnFail: true }, { attempts: 3, waitMs: 1000, onError: 'stop' }],
    [
      'numbers of a retry',
      { retryOnFail: true, maxTries: 4, waitBetweenTries: 200 },
      { attempts: 4, waitMs: 200, onError: 'stop' },
    ],
    [
      'numbers above the limits of n8n',
      { retryOnFail: true, maxTries: 20, waitBetweenTries: 60_000 },
      { attempts: 5, waitMs: 5000, onError: 'stop' },
    ],
    ['numbers of a retry that is off', { maxTries: 4 }, { attempts: 1, onError: 'stop' }],
    ['an error output', { onError: 'continueErrorOutput' }, { attempts: 1, onError: 'error_output' }],
    ['a workflow that continues', { continueOnFail: true }, { attempts: 1, onError: 'error_item' }],
  ])('has its settings: %s', (_, settings, expected) => {
    expect(JSON.parse(failing(settings).attributes['misstep.failure_settings'] as string)).toEqual(expected);
  });
});

describe('a notice', () => {
  test('of an error has the settings of its node', () => {
    const [, node] = decodeN8n({ ...(fixture('error-notice') as JsonObject) }, NOW).spans;
    expect(node!.attributes['misstep.failure_settings']).toBe('{"attempts":3,"waitMs":1000,"onError":"stop"}');
  });

  test('of an error adds the message of the service to the exception that telemetry recorded', () => {
    const notice = decodeN8n({ ...(fixture('error-notice') as JsonObject) }, NOW).spans;
    const exception = { 'exception.type': 'NodeApiError', 'exception.message': 'Service unavailable' };
    const [root, node] = notice.map((span, at) => ({
      ...span,
      spanId: `otel-${at}`,
      parentSpanId: at === 0 ? null : 'otel-0',
      status: { code: 2 as const, message: 'Service unavailable' },
      events: [{ name: 'exception', timeNs: span.startNs, attributes: exception }],
      attributes: { ...span.attributes, 'n8n.source': 'otel' },
    }));
    const step = traceOf([root!, node!, ...notice]).steps.find(({ name }) => name === 'Print label');
    expect(step!.error).toMatchObject({ type: 'NodeApiError', message: expect.stringContaining('(depot offline)') });
  });

  test('of an error has the ids of its execution', () => {
    const [root, node] = decodeN8n({ ...(fixture('error-notice') as JsonObject) }, NOW).spans;
    expect(root!.traceId).toBe(executionTraceId({ workflowId: 'wfParcel00000001', executionId: '84' }));
    expect(node).toMatchObject({ name: 'Print label', parentSpanId: root!.spanId });
    expect(JSON.stringify([root, node], bigIntsAsText)).not.toContain('authorization');
  });

  test.each<[string, Json, string, string]>([
    [
      'of a broken trigger',
      { trigger: { error: { message: 'no such queue', timestamp: AT } }, workflow: { id: 'w' } },
      'error',
      'no such queue',
    ],
    [
      'of a last node that continued after a failure',
      { executionId: '1', workflowId: 'w', data: { error: 'no paper' } },
      'error',
      'no paper',
    ],
    ['of a last node', { executionId: '1', workflowId: 'w', data: { rows: 2 } }, 'ok', ''],
  ])('%s', (_, value, status, message) => {
    const trace = traceOf(decodeN8n(value, NOW).spans);
    expect([trace.status, trace.steps[0]!.error?.message ?? '']).toEqual([status, message]);
  });
});

test('malformed bodies are rejected or read in part, and nothing throws', () => {
  const badValues: Json[] = [null, 1, 'x', [], {}, { a: { b: [] } }, [[null]], -1, true];
  for (const one of badValues)
    for (const other of badValues) {
      const runData = { N: [run({ data: one, inputOverride: other, error: one, source: other })], M: one };
      const value = execution(runData, {
        workflowData: { nodes: one, connections: other },
        startedAt: one,
        stoppedAt: other,
      });
      expect(decodeN8n(value, NOW).spans.length).toBeGreaterThan(0);
      decodeN8n(one, NOW);
      decodeN8n({ execution: { error: {}, id: one, executionContext: other }, workflow: { id: other } }, NOW);
      decodeN8n({ executionId: '1', workflowId: 'w', data: one }, NOW);
    }
});

function bigIntsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Bodies of a real server, kept outside the repository; the expected values were determined manually. */
const CAPTURES = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../../shared/clients/captures'),
  'n8n',
);

describe.skipIf(!existsSync(CAPTURES))('captures of a real server (skipped without captures)', () => {
  const capture = (name: string) => readFileSync(join(CAPTURES, name), 'utf8');
  const outlines = (value: Json) =>
    [...Map.groupBy(decodeN8n(value, NOW).spans, ({ traceId }) => traceId).values()].map((spans) => {
      const trace = traceOf(spans);
      const { steps } = compactTrace(trace) as { steps: Json[][] };
      return [
        trace.name,
        trace.status,
        trace.tokens.total,
        trace.agents,
        steps.slice(1).map(([kind, name]) => `${kind} ${name}`),
      ];
    });

  test('executions with their data', () => {
    expect(outlines(parseJson(capture('api-executions-includeData.json'))!)).toEqual([
      [
        'AI Agent flow',
        'ok',
        336,
        ['AI Agent'],
        [
          '> other Webhook',
          '> agent AI Agent',
          '> > llm OpenAI Chat Model',
          '> > tool Calculator',
          '> > llm OpenAI Chat Model',
        ],
      ],
      ['Error notifier', 'ok', null, [], ['> other Error Trigger', '> tool Notify']],
      ['Failing flow', 'error', null, [], ['> other Webhook', '> tool Broken API']],
      ['Research flow', 'ok', 168, [], ['> other Webhook', '> other Prepare', '> llm Call LLM', '> tool Report']],
    ]);
  });

  test('executions without, and the requests of nodes', () => {
    expect(outlines(parseJson(capture('api-executions-page1.json'))!)).toHaveLength(2);
    expect(outlines(parseJson(capture('api-executions-error.json'))!)).toEqual([
      ['workflow wfFail0000000001', 'error', null, [], []],
    ]);
    const bodies = capture('webhooks.jsonl').trim().split('\n').map(parseJson).filter(isJsonObject);
    expect(bodies.map(({ body }) => outlines(body!)[0])).toEqual([
      ['Research flow', 'ok', 168, [], []],
      ['Failing flow', 'error', null, [], ['> tool Broken API']],
    ]);
  });
});
