import { describe, expect, test } from 'vitest';
import { isAtLeast } from '../src/core/severity.ts';
import type { Attributes, Span } from '../src/core/span.ts';
import { analyzeSpans } from '../src/features/analysis/analyze-spans.ts';
import { DEFAULT_DETECTION } from '../src/features/analysis/tenant-detection.ts';
import { createModelCatalog } from '../src/formats/model-catalog/catalog.ts';
import { makeSpan } from './support/make-span.ts';

/** One act of an agent: a call of a tool, or a text. */
type Act =
  | { agent: string; tool: string; args?: object; result?: unknown; error?: string }
  | { agent: string; says: string };

type Encoding = (act: Act) => Pick<Span, 'name' | 'attributes'>;

const message = (text: string) => JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]);
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const ENCODINGS: Record<string, Encoding> = {
  'otel gen_ai': (act) => {
    const agent = { 'gen_ai.agent.name': act.agent };
    if ('says' in act)
      return {
        name: 'chat small',
        attributes: {
          ...agent,
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'small',
          'gen_ai.output.messages': message(act.says),
        },
      };
    return {
      name: `execute_tool ${act.tool}`,
      attributes: {
        ...agent,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': act.tool,
        'gen_ai.tool.call.arguments': JSON.stringify(act.args ?? {}),
        ...(act.result === undefined ? {} : { 'gen_ai.tool.call.result': asText(act.result) }),
      },
    };
  },
  openinference: (act) => {
    const agent: Attributes = { 'agent.name': act.agent, 'graph.node.id': act.agent };
    if ('says' in act)
      return {
        name: 'ChatModel',
        attributes: {
          ...agent,
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'small',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.content': act.says,
          'output.value': act.says,
        },
      };
    return {
      name: act.tool,
      attributes: {
        ...agent,
        'openinference.span.kind': 'TOOL',
        'tool.name': act.tool,
        'input.value': JSON.stringify(act.args ?? {}),
        ...(act.result === undefined ? {} : { 'output.value': asText(act.result) }),
      },
    };
  },
  traceloop: (act): Pick<Span, 'name' | 'attributes'> => {
    if ('says' in act)
      return {
        name: 'openai.chat',
        attributes: {
          'llm.request.type': 'chat',
          'gen_ai.request.model': 'small',
          'gen_ai.agent.name': act.agent,
          'gen_ai.completion.0.role': 'assistant',
          'gen_ai.completion.0.content': act.says,
        },
      };
    return {
      name: `${act.tool}.tool`,
      attributes: {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': act.tool,
        'gen_ai.agent.name': act.agent,
        'traceloop.entity.input': JSON.stringify(act.args ?? {}),
        ...(act.result === undefined ? {} : { 'traceloop.entity.output': asText(act.result) }),
      },
    };
  },
};

const START = 1_790_000_000_000_000_000n;
const at = (second: number) => START + BigInt(second) * 1_000_000_000n;

function spansOf(acts: readonly Act[], encode: Encoding): Span[] {
  const end = at(acts.length + 1);
  const root = makeSpan({ spanId: 'root', name: 'run', startNs: at(0), endNs: end, status: { code: 1, message: '' } });
  const steps = acts.map((act, n) => {
    const error = 'error' in act ? act.error : undefined;
    return makeSpan({
      spanId: `step-${n}`,
      parentSpanId: 'root',
      startNs: at(n),
      endNs: at(n + 1),
      status: error === undefined ? { code: 1, message: '' } : { code: 2, message: error },
      ...encode(act),
    });
  });
  return [root, ...steps];
}

const DETECTORS_OF_CALLS = ['loop', 'tool_failure', 'tool_provision'];

/** `type/subtype` of detections of warning or above. */
function alarmsIn(acts: readonly Act[], encode: Encoding): string[] {
  const models = createModelCatalog();
  const { detections } = analyzeSpans(spansOf(acts, encode), {
    isSettled: true,
    models,
    tenant: DEFAULT_DETECTION,
  }).result;
  return detections
    .filter(({ type, severity }) => DETECTORS_OF_CALLS.includes(type) && isAtLeast(severity, 'warning'))
    .map(({ type, subtype }) => `${type}/${subtype}`);
}

function rounds(times: number, round: (n: number) => Act[]): Act[] {
  return Array.from({ length: times }, (_, n) => round(n + 1)).flat();
}

const NUMBERS = ['first', 'second', 'third', 'fourth', 'fifth'];
const GUIDE = 'Write short sentences of at most 20 words, in the present tense, and name each source in brackets.';

const HEALTHY: Record<string, Act[]> = {
  'chapters by a writer without tools': rounds(4, (n) => [
    { agent: 'lead', tool: 'transfer_to_writer', result: 'Transferred to writer.' },
    { agent: 'writer', says: `Chapter ${n}: the pier of 180${n} is ${n}00 metres long and made of oak.` },
    { agent: 'writer', tool: 'transfer_to_lead', result: 'Transferred to lead.' },
  ]),
  'chapters by a writer who reads the guide each time': rounds(4, (n) => [
    { agent: 'lead', tool: 'transfer_to_writer', result: 'Transferred to writer.' },
    { agent: 'writer', tool: 'get_guide', result: GUIDE },
    { agent: 'writer', says: `Chapter ${n}: the pier of 180${n} is ${n}00 metres long and made of oak.` },
    { agent: 'writer', tool: 'transfer_to_lead', result: 'Transferred to lead.' },
  ]),
  'four pages are read': [
    ...rounds(4, () => [{ agent: 'browser', tool: 'click', args: { selector: '#next' }, result: 'clicked' }]),
    { agent: 'browser', says: 'The fifth page lists three piers.' },
  ],
  'four pieces are added': [
    ...rounds(4, () => [{ agent: 'shop', tool: 'add_item', args: { sku: 'roll' }, result: 'added' }]),
    { agent: 'shop', says: 'Four rolls are in the cart.' },
  ],
  'four ids are tried': [
    ...rounds(4, (n) => [{ agent: 'desk', tool: 'get_user', args: { id: 10 + n }, error: `user ${10 + n} not found` }]),
    { agent: 'desk', tool: 'get_user', args: { id: 15 }, result: { id: 15, name: 'Ada', city: 'Bergen', since: 2019 } },
    { agent: 'desk', says: 'Ada of Bergen is a customer since 2019.' },
  ],
  'orders that differ in their UUIDs': rounds(5, (n) => [
    {
      agent: 'clerk',
      tool: 'next_order',
      result: { order: `0000000${n}-1111-4222-8333-444444444444`, parts: 3, kind: 'tea' },
    },
    { agent: 'clerk', tool: 'store', result: 'stored' },
  ]),
  'a linter reports what it found': [
    ...rounds(3, (n) => [
      {
        agent: 'dev',
        tool: 'lint',
        args: { file: `part${n}.py` },
        result: { errors: [{ message: "'foo' is not defined", line: n }] },
      },
    ]),
    { agent: 'dev', says: 'Each of the three files uses foo, which is not defined.' },
  ],
  'a link checker reports a status': [
    ...rounds(3, (n) => [
      { agent: 'web', tool: 'check_link', args: { url: `https://shop.example/${n}` }, result: { status: 503 } },
    ]),
    { agent: 'web', says: 'Die drei Seiten des Ladens antworten im Augenblick mit dem Status 503.' },
  ],
  'assertions of a test tool': [
    ...rounds(3, (n) => [
      {
        agent: 'tester',
        tool: 'assert_visible',
        args: { id: `part${n}` },
        result: `AssertionError: part${n} is hidden`,
      },
    ]),
    { agent: 'tester', says: 'The three parts are hidden.' },
  ],
  'a name that is not known': [
    { agent: 'desk', tool: 'find_user', args: { name: 'Ada' }, result: 'Error: user not found' },
    { agent: 'desk', says: 'Could you please tell me your name and zip code?' },
  ],
  'a rule of the business': [
    { agent: 'desk', tool: 'book', args: { seat: '12A' }, result: { error: 'seat 12A must be an adult seat' } },
    { agent: 'desk', says: 'Seat 12A is for adults. Shall I take 14C?' },
  ],
  'a query names a function that does not exist': [
    { agent: 'data', tool: 'sql', args: { query: 'select rundung(2.5)' }, error: 'function rundung does not exist' },
    { agent: 'data', tool: 'sql', args: { query: 'select round(2.5)' }, result: [{ round: 3 }] },
    { agent: 'data', says: 'The rounded value is 3.' },
  ],
};

const FAILING: Record<string, { acts: Act[]; expected: string }> = {
  'a writer who writes nothing': {
    acts: rounds(4, () => [
      { agent: 'lead', tool: 'transfer_to_writer', result: 'Transferred to writer.' },
      { agent: 'writer', tool: 'get_guide', result: GUIDE },
      { agent: 'writer', tool: 'transfer_to_lead', result: 'Transferred to lead.' },
    ]),
    expected: 'loop/exact_repetition',
  },
  'one page is opened repeatedly': {
    acts: rounds(4, () => [
      { agent: 'browser', tool: 'click', args: { selector: '#next' }, result: `${GUIDE} Page 1 of 9.` },
    ]),
    expected: 'loop/exact_repetition',
  },
  'one id is requested repeatedly': {
    acts: rounds(4, () => [{ agent: 'desk', tool: 'get_user', args: { id: 11 }, error: 'user 11 not found' }]),
    expected: 'loop/retry_storm',
  },
  'each part is requested, and the result is always the same list': {
    acts: rounds(4, (n) => [
      { agent: 'shop', tool: 'get_part', args: { part: NUMBERS[n] }, result: `${GUIDE} Parts: 12.` },
    ]),
    expected: 'loop/stalled',
  },
  'a tool whose every call fails': {
    acts: [
      ...rounds(3, (n) => [
        { agent: 'dev', tool: 'lint', args: { file: `part${n}.py` }, error: `no answer after ${NUMBERS[n]} try` },
      ]),
      { agent: 'dev', says: 'The three files are clean.' },
    ],
    expected: 'tool_failure/never_worked',
  },
  'a status with its message': {
    acts: [
      { agent: 'desk', tool: 'book', args: { seat: '12A' }, result: { status: 503, message: 'Service Unavailable' } },
      { agent: 'desk', says: 'Seat 12A is yours.' },
    ],
    expected: 'tool_failure/service',
  },
  'a tool that is not offered': {
    acts: [
      { agent: 'desk', tool: 'fax', args: { to: 'Ada' }, error: 'Tool fax not found' },
      { agent: 'desk', says: 'Your order is on its way.' },
    ],
    expected: 'tool_provision/unknown_tool',
  },
};

describe.each(Object.entries(ENCODINGS))('%s', (_, encode) => {
  test.each(Object.entries(HEALTHY))('no alarm: %s', (__, acts) => {
    expect(alarmsIn(acts, encode)).toEqual([]);
  });

  test.each(Object.entries(FAILING))('alarm: %s', (__, { acts, expected }) => {
    expect(alarmsIn(acts, encode)).toContain(expected);
  });
});
