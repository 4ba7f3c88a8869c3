import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { encodeSpanLine } from '../misstep/span-line.ts';
import { EMPTY_CATALOG } from '../model-catalog/catalog.ts';
import { buildTrace } from '../trace-model/build-trace.ts';
import { decodeRecord, recordStepIndexes, recordTraceId } from './decode-record.ts';
import { decodeRecords } from './decode-records.ts';

const step = (fields: JsonObject): JsonObject => ({
  kind: 'llm',
  agent: 'clerk',
  name: 'assistant',
  input: '',
  output: '',
  ...fields,
});
const record = (steps: Json[], fields: JsonObject = {}): JsonObject => ({
  id: 'shop/1',
  kind: 'trace',
  framework: 'Shop/gpt-x',
  task: 'Refund my order',
  steps,
  text: null,
  sources: null,
  ...fields,
});
const spansOf = (value: Json) => decodeRecord(value).spans;
const partsOf = (text: unknown) => (JSON.parse(text as string) as { role: string; parts: unknown[] }[])[0]!;

test('a record decodes to the spans of its fixture', () => {
  const fixtures = new URL('../../../test/fixtures/records/', import.meta.url);
  const read = (name: string) => parseJson(readFileSync(new URL(name, fixtures), 'utf8'))!;
  const { spans, rejections } = decodeRecord(read('refund-desk.record.json'));
  expect(spans.map((span) => parseJson(encodeSpanLine(span)))).toEqual(read('refund-desk.spans.json'));
  expect(rejections).toEqual([]);
});

describe('a record of messages', () => {
  const says = (agent: string, output: string) => step({ kind: 'message', agent, name: '', output });
  const rolesOf = (...steps: Json[]) =>
    spansOf(record(steps)).flatMap(({ attributes }) => {
      const sent = attributes['gen_ai.output.messages'];
      return typeof sent === 'string' ? [partsOf(sent).role] : [];
    });

  test('in a chat with the user, the other speaker is the assistant', () => {
    expect(rolesOf(says('Ada', 'Hello.'), says('user', 'My order?'), says('Ada', 'One moment.'))).toEqual([
      'assistant',
      'user',
      'assistant',
    ]);
  });

  test.each([
    ['several speakers', [says('user', 'My order?'), says('Ada', 'One moment.'), says('Ben', 'I look.')]],
    ['nobody is named as the user', [says('Ada', 'Hello.'), says('Ben', 'Hello.')]],
  ])('%s keep the role of the user', (_, steps) => {
    expect(new Set(rolesOf(...steps))).toEqual(new Set(['user']));
  });
});

describe('a record of steps', () => {
  const sample = record([
    step({ kind: 'message', agent: 'system', name: 'system', output: 'Be kind.' }),
    step({ kind: 'message', agent: 'user', name: 'user', output: 'My order?' }),
    step({ output: 'One moment.\n[tool_call] find_order({"id":"W1"})', tokens_in: 10, tokens_out: 4 }),
    step({
      kind: 'tool',
      name: 'find_order',
      input: '{"id":"W1"}',
      output: 'Error: no such order',
      error: 'Error: no such order',
    }),
    step({ output: 'There is none.' }),
  ]);

  test('has a root with task and framework, and one span per step in order', () => {
    const [root, ...steps] = spansOf(sample);
    expect(root).toMatchObject({
      traceId: recordTraceId('shop/1'),
      parentSpanId: null,
      attributes: { [MISSTEP.framework]: 'shop', [MISSTEP.task]: 'Refund my order', [MISSTEP.recordId]: 'shop/1' },
    });
    expect(steps.map((span) => span.parentSpanId)).toEqual(steps.map(() => root!.spanId));
    expect(steps.map((span) => span.startNs)).toEqual([1n, 2n, 3n, 4n, 5n].map((ms) => ms * 1_000_000n));
    expect([...recordStepIndexes([root!, ...steps]).values()]).toEqual([0, 1, 2, 3, 4]);
    const trace = buildTrace([root!, ...steps], { models: EMPTY_CATALOG, isSettled: true });
    expect(trace.steps.map(({ index, parent, name }) => `${index} ${parent} ${name}`)).toEqual(
      steps.map(({ name }, at) => `${at} null ${name}`),
    );
    expect(trace.task).toBe('Refund my order');
  });

  test('has roles, calls, errors and tokens in separate fields', () => {
    const [, system, user, requestStep, tool, answer] = spansOf(sample);
    expect(partsOf(system!.attributes['gen_ai.output.messages']).role).toBe('system');
    expect(user!.attributes).not.toHaveProperty('gen_ai.agent.name');
    expect(partsOf(requestStep!.attributes['gen_ai.output.messages'])).toEqual({
      role: 'assistant',
      parts: [
        { type: 'text', content: 'One moment.' },
        { type: 'tool_call', id: 'call_2_0', name: 'find_order', arguments: { id: 'W1' } },
      ],
    });
    expect(requestStep!.attributes).toMatchObject({ 'gen_ai.request.model': 'gpt-x', 'gen_ai.usage.input_tokens': 10 });
    expect(tool).toMatchObject({
      status: { code: 2, message: 'Error: no such order' },
      attributes: {
        'gen_ai.tool.call.id': 'call_2_0',
        'gen_ai.tool.call.arguments': '{"id":"W1"}',
        'error.type': 'Error',
      },
    });
    expect(answer!.attributes['gen_ai.agent.name']).toBe('clerk');
  });

  test('gives the same spans when decoded again, and never reads labels', () => {
    const guarded = new Proxy(sample, {
      get(target, key) {
        if (key === 'labels' || key === 'meta') throw new Error(`${key} was read`);
        return Reflect.get(target, key);
      },
    });
    expect(decodeRecord(guarded)).toEqual(decodeRecord(sample));
    expect(spansOf(record(sample.steps as Json[], { id: 'shop/2' }))[0]!.traceId).not.toBe(recordTraceId('shop/1'));
  });
});

describe('a tool call is assembled', () => {
  const last = (steps: Json[]) => spansOf(record(steps)).at(-1)!.attributes;

  test.each<[string, Json[], JsonObject]>([
    [
      'from the script before an executor',
      [
        step({ output: 'Try:\n```python\nprint(2)\n```' }),
        step({ kind: 'tool', agent: 'Runner', name: 'user', output: '2' }),
      ],
      { 'gen_ai.tool.name': 'Runner', 'gen_ai.tool.call.arguments': 'print(2)', 'gen_ai.tool.call.result': '2' },
    ],
    [
      'from an announced call if the step does not name its tool',
      [
        step({ output: 'I will call the planner with the params as None;' }),
        step({ kind: 'tool', name: 'tool', output: 'ok' }),
      ],
      { 'gen_ai.tool.name': 'planner', 'gen_ai.tool.call.id': 'call_0_0' },
    ],
    [
      'from a wrapped Python call',
      [step({ kind: 'tool', name: 'search', input: '{"args":[],"sanitize":true,"kwargs":{"q":"bees"}}', output: 'x' })],
      { 'gen_ai.tool.call.arguments': '{"q":"bees"}' },
    ],
    [
      'from plain text',
      [step({ kind: 'tool', name: 'bash', input: 'ls -F', output: '', error: '<returncode>2</returncode>' })],
      { 'gen_ai.tool.call.arguments': 'ls -F', 'error.type': 'exit_2' },
    ],
    [
      'by name if several were requested',
      [
        step({ output: '[tool_call] a({"x":1})\n[tool_call] b({"x":2})' }),
        step({ kind: 'tool', name: 'b', output: 'B' }),
      ],
      { 'gen_ai.tool.call.id': 'call_0_1', 'gen_ai.tool.call.arguments': '{"x":2}' },
    ],
  ])('%s', (_, steps, expected) => {
    expect(last(steps)).toMatchObject(expected);
  });

  test('from the observation in the next message, as a separate span with the index of the requesting step', () => {
    const spans = spansOf(
      record([
        step({ output: '<action>\ntool: web\nparameters: {"q": 1}\n</action>' }),
        step({
          kind: 'message',
          agent: 'user',
          name: 'user',
          output: "Current Observation: Tool 'web' executed.\nResult: Error 404\n\nAvailable Tools:\nx",
        }),
      ]),
    );
    expect(spans.map((span) => span.name)).toEqual(['run', 'assistant', 'web', 'user']);
    expect(spans[2]).toMatchObject({
      status: { code: 2 },
      attributes: { [MISSTEP.stepIndex]: 0, [MISSTEP.isSpanSynthetic]: true, 'gen_ai.tool.call.result': 'Error 404' },
    });
    expect(spans[2]!.startNs > spans[1]!.startNs && spans[2]!.startNs < spans[3]!.startNs).toBe(true);
  });

  test('not from a call that was never executed', () => {
    expect(spansOf(record([step({ output: '[tool_call] a({})' })])).map((span) => span.name)).toEqual([
      'run',
      'assistant',
    ]);
  });
});

describe('variants of senders', () => {
  test("a handoff in the agent's name", () => {
    const [, span] = spansOf(record([step({ agent: 'Lead (-> Runner)', name: 'x', kind: 'tool', output: 'Run it.' })]));
    expect(span!.attributes).toMatchObject({
      'gen_ai.agent.name': 'Lead',
      [MISSTEP.goto]: ['Runner'],
      [MISSTEP.stepKind]: 'llm',
    });
  });

  test('recorded span ids, times and tree are kept, and no second root is created', () => {
    const spans = spansOf(
      record(
        [
          step({
            kind: 'chain',
            agent: '',
            name: 'main',
            span_id: 'aa',
            parent_span_id: null,
            start_ms: 1000.5,
            end_ms: 1900,
          }),
          step({
            span_id: 'bb',
            parent_span_id: 'aa',
            start_ms: 1001,
            end_ms: 1002,
            state: { span_kind: 'LLM', model: 'm-1' },
          }),
          step({ span_id: 'bb', parent_span_id: 'gone', start_ms: 1003, end_ms: null, state: { cart: 1 } }),
        ].map((one, index) => (index === 2 ? { ...one, parent_span_id: 'bb' } : one)),
      ),
    );
    expect(spans.map(({ spanId, parentSpanId }) => [spanId, parentSpanId]).slice(0, 2)).toEqual([
      ['aa', null],
      ['bb', 'aa'],
    ]);
    expect(spans[2]!.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(spans[0]).toMatchObject({ startNs: 1_000_500_000n, attributes: { [MISSTEP.task]: 'Refund my order' } });
    expect(spans[1]!.attributes).toMatchObject({ 'gen_ai.request.model': 'm-1' });
    expect(spans[1]!.attributes).not.toHaveProperty(MISSTEP.state);
    expect(spans[2]!.attributes).toMatchObject({ [MISSTEP.state]: '{"cart":1}' });
  });

  test('a chat request as input', () => {
    const input = JSON.stringify({ messages: [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }] });
    const [, span] = spansOf(record([step({ input, output: '{"role":"assistant","content":"Yes."}' })]));
    expect(partsOf(span!.attributes['gen_ai.input.messages'])).toEqual({
      role: 'system',
      parts: [{ type: 'text', content: 'Be brief.' }],
    });
    expect(partsOf(span!.attributes['gen_ai.output.messages']).parts).toEqual([{ type: 'text', content: 'Yes.' }]);
  });
});

describe('a record without steps', () => {
  test('an answer with its sources', () => {
    const spans = spansOf(record([], { kind: 'text-pair', text: 'Bees fly.', sources: ['Bees can fly.'], task: null }));
    expect(spans.map((span) => span.attributes[MISSTEP.stepKind])).toEqual(['chain', 'retrieval', 'llm']);
    expect(spans[1]!.attributes[MISSTEP.documents]).toContain('Bees can fly.');
    expect([...recordStepIndexes(spans).values()]).toEqual([0]);
  });

  test('a text alone', () => {
    const spans = spansOf(record([], { kind: 'text', text: 'Hello' }));
    expect(spans.map((span) => span.attributes[MISSTEP.stepKind])).toEqual(['chain', 'message']);
  });
});

describe('an invalid record', () => {
  test.each<[string, Json]>([
    ['no object', 'x'],
    ['no id', { steps: [] }],
    ['nothing in it', { id: 'x', steps: [], text: null }],
  ])('with %s is rejected as a whole', (_, value) => {
    expect(decodeRecord(value)).toEqual({ spans: [], rejections: [{ pointer: '', message: expect.any(String) }] });
  });

  test('an invalid step is rejected alone, and indexes are kept', () => {
    const { spans, rejections } = decodeRecord(record([step({}), 7, step({ kind: 'dream' }), step({ output: 'x' })]));
    expect(rejections.map(({ pointer }) => pointer)).toEqual(['/steps/1', '/steps/2']);
    expect([...recordStepIndexes(spans).values()]).toEqual([0, 3]);
  });

  test('an invalid line is rejected alone', () => {
    const lines = [JSON.stringify(record([step({})])), '', '{broken', '{"id":""}'];
    const decoded = [...decodeRecords(lines)];
    expect(decoded.map(({ spans }) => spans.length)).toEqual([2, 0, 0]);
    expect(decoded.flatMap(({ rejections }) => rejections.map(({ pointer }) => pointer))).toEqual(['line 3', 'line 4']);
  });
});
