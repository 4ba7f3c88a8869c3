import type { Json } from '../../../src/core/json.ts';
import type { Attributes, Span } from '../../../src/core/span.ts';
import { decodeAny } from '../../../src/formats/detect/detect-format.ts';
import { encodeOtlpProtobuf } from '../../../src/formats/otlp/encode-protobuf.ts';
import { makeSpan } from '../make-span.ts';

/** A model's answer, with the calls it requests, or a call that ran. */
export type Act =
  | { kind: 'answer'; text: string; calls?: { id: string; name: string; args: Json }[] }
  | { kind: 'call'; id: string; name: string; args: Json; result: string; hasFailed?: true };

/** A run of one agent, independent of an encoding. */
export interface PlainRun {
  agent: string;
  task: string;
  acts: readonly Act[];
}

const START_MS = 1_790_000_000_000;
const MODEL = 'gpt-4o';

/** The same run in each encoding. */
export const ENCODINGS: Readonly<Record<string, (run: PlainRun) => Span[]>> = {
  'otel gen_ai': (run) => spansOf(run, genAi),
  'graphruntime.*': (run) => spansOf(run, (act, of) => ({ 'graphruntime.node.name': of.agent, ...genAi(act, of) })),
  openinference: (run) => spansOf(run, openInference),
  traceloop: (run) => spansOf(run, traceloop),
  'vercel ai': (run) => spansOf(run, vercel),
  langsmith: (run) => decode({ runs: langSmithRuns(run) }),
  conversation: (run) => decode(conversation(run)),
  record: (run) => decode(record(run)),
  'otlp protobuf': (run) => decodeBytes(encodeOtlpProtobuf(spansOf(run, genAi).map(withHexIds))),
  'gen_ai events': (run) => spansOf(run, withoutMessages).map((span, n) => withEvents(span, run, n - 1)),
  'langfuse otel': (run) => spansOf(run, langfuse),
  'openai agents': (run) => decode({ data: agentsExport(run) }),
  'anthropic messages': (run) => decode(anthropicMessages(run)),
  'openai responses': (run) => decode(responses(run)),
};

type Encode = (act: Act, run: PlainRun) => Attributes;

function spansOf(run: PlainRun, encode: Encode): Span[] {
  const at = (second: number) => BigInt(START_MS + 1000 * second) * 1_000_000n;
  const root = makeSpan({ spanId: 'root', name: 'run', startNs: at(0), endNs: at(run.acts.length + 1) });
  const acts = run.acts.map((act, n) =>
    makeSpan({
      spanId: `act-${n}`,
      parentSpanId: 'root',
      name: act.kind === 'call' ? act.name : 'chat',
      startNs: at(n),
      endNs: at(n + 1),
      status: hasFailed(act) ? { code: 2, message: textOf(act) } : { code: 0, message: '' },
      attributes: encode(act, run),
    }),
  );
  return [root, ...acts];
}

const hasFailed = (act: Act) => act.kind === 'call' && act.hasFailed === true;
const textOf = (act: Act) => (act.kind === 'call' ? act.result : act.text);
const callsOf = (act: Act) => (act.kind === 'answer' ? (act.calls ?? []) : []);

const genAi: Encode = (act, { agent, task }): Attributes => {
  if (act.kind === 'call')
    return {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': agent,
      'gen_ai.tool.name': act.name,
      'gen_ai.tool.call.id': act.id,
      'gen_ai.tool.call.arguments': JSON.stringify(act.args),
      ...(act.hasFailed ? {} : { 'gen_ai.tool.call.result': act.result }),
    };
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.agent.name': agent,
    'gen_ai.request.model': MODEL,
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: task }] }]),
    'gen_ai.output.messages': JSON.stringify([
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: act.text },
          ...callsOf(act).map(({ id, name, args }) => ({ type: 'tool_call', id, name, arguments: args })),
        ],
      },
    ]),
  };
};

const openInference: Encode = (act, { agent, task }) => {
  const common = { 'agent.name': agent };
  if (act.kind === 'call')
    return {
      ...common,
      'openinference.span.kind': 'TOOL',
      'tool.name': act.name,
      'input.value': JSON.stringify(act.args),
      ...(act.hasFailed ? {} : { 'output.value': act.result }),
    };
  const calls = callsOf(act).flatMap(({ id, name, args }, n) => {
    const call = `llm.output_messages.0.message.tool_calls.${n}.tool_call`;
    const parts: [string, string][] = [
      [`${call}.id`, id],
      [`${call}.function.name`, name],
      [`${call}.function.arguments`, JSON.stringify(args)],
    ];
    return parts;
  });
  return {
    ...common,
    'openinference.span.kind': 'LLM',
    'llm.model_name': MODEL,
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': task,
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': act.text,
    ...Object.fromEntries(calls),
  };
};

const traceloop: Encode = (act, { agent, task }) => {
  if (act.kind === 'call')
    return {
      'traceloop.span.kind': 'tool',
      'traceloop.entity.name': act.name,
      'gen_ai.agent.name': agent,
      'traceloop.entity.input': JSON.stringify(act.args),
      ...(act.hasFailed ? {} : { 'traceloop.entity.output': act.result }),
    };
  const calls = callsOf(act).flatMap(({ id, name, args }, n) => {
    const call = `gen_ai.completion.0.tool_calls.${n}`;
    const parts: [string, string][] = [
      [`${call}.id`, id],
      [`${call}.name`, name],
      [`${call}.arguments`, JSON.stringify(args)],
    ];
    return parts;
  });
  return {
    'llm.request.type': 'chat',
    'gen_ai.agent.name': agent,
    'gen_ai.request.model': MODEL,
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': task,
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': act.text,
    ...Object.fromEntries(calls),
  };
};

const vercel: Encode = (act, { agent, task }) => {
  const common = { 'ai.telemetry.functionId': agent };
  if (act.kind === 'call')
    return {
      ...common,
      'ai.operationId': 'ai.toolCall',
      'ai.toolCall.name': act.name,
      'ai.toolCall.id': act.id,
      'ai.toolCall.args': JSON.stringify(act.args),
      ...(act.hasFailed ? {} : { 'ai.toolCall.result': JSON.stringify(act.result) }),
    };
  const calls = callsOf(act).map(({ id, name, args }) => ({
    toolCallId: id,
    toolName: name,
    args: JSON.stringify(args),
  }));
  return {
    ...common,
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.model.id': MODEL,
    'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [{ type: 'text', text: task }] }]),
    'ai.response.text': act.text,
    ...(calls.length === 0 ? {} : { 'ai.response.toolCalls': JSON.stringify(calls) }),
  };
};

const withoutMessages: Encode = (act, run) => {
  const { 'gen_ai.input.messages': _, 'gen_ai.output.messages': __, ...rest } = genAi(act, run);
  return rest;
};

/** Older GenAI conventions: the messages are events of the span. */
function withEvents(span: Span, { task, acts }: PlainRun, n: number): Span {
  const act = acts[n];
  if (act?.kind !== 'answer') return span;
  const choice = { index: 0, finish_reason: 'stop', message: JSON.stringify(chatMessage(act)) };
  return {
    ...span,
    events: [
      { name: 'gen_ai.user.message', timeNs: span.startNs, attributes: { content: task } },
      { name: 'gen_ai.choice', timeNs: span.startNs, attributes: choice },
    ],
  };
}

const langfuse: Encode = (act, { agent, task }) => {
  const common = { 'gen_ai.agent.name': agent };
  if (act.kind === 'call')
    return {
      ...common,
      'langfuse.observation.type': 'tool',
      'langfuse.observation.input': JSON.stringify(act.args),
      ...(act.hasFailed
        ? { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': act.result }
        : { 'langfuse.observation.output': act.result }),
    };
  return {
    ...common,
    'langfuse.observation.type': 'generation',
    'langfuse.observation.model.name': MODEL,
    'langfuse.observation.input': JSON.stringify([{ role: 'user', content: task }]),
    'langfuse.observation.output': JSON.stringify(chatMessage(act)),
  };
};

function agentsExport({ agent, task, acts }: PlainRun): Json[] {
  const time = (second: number) => new Date(START_MS + 1000 * second).toISOString();
  const span = (id: string, from: number, to: number, data: { [key: string]: Json }) => ({
    object: 'trace.span',
    id: `span_${id}`,
    trace_id: 'trace_1',
    parent_id: id === 'root' ? null : 'span_root',
    started_at: time(from),
    ended_at: time(to),
    span_data: data,
    error: null as Json,
  });
  const children = acts.map((act, n): Json => {
    if (act.kind === 'answer') {
      const output = [{ choices: [{ message: chatMessage(act) }] }];
      const input = [{ role: 'user', content: task }];
      return span(`${n}`, n, n + 1, { type: 'generation', model: MODEL, input, output });
    }
    const data = { type: 'function', name: act.name, input: JSON.stringify(act.args) };
    if (act.hasFailed !== true) return span(`${n}`, n, n + 1, { ...data, output: act.result });
    const error = { message: 'Error running tool', data: { tool_name: act.name, error: act.result } };
    return { ...span(`${n}`, n, n + 1, { ...data, output: '' }), error };
  });
  return [
    { object: 'trace', id: 'trace_1', workflow_name: agent },
    span('root', 0, acts.length + 1, { type: 'agent', name: agent }),
    ...children,
  ];
}

function anthropicMessages({ task, acts }: PlainRun): Json {
  const turns = acts.map((act): Json => {
    if (act.kind === 'call') {
      const flag: { [key: string]: Json } = act.hasFailed === true ? { is_error: true } : {};
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: act.id, content: act.result, ...flag }] };
    }
    const calls = callsOf(act).map(({ id, name, args }): Json => ({ type: 'tool_use', id, name, input: args }));
    return { role: 'assistant', content: [{ type: 'text', text: act.text }, ...calls] };
  });
  return {
    model: 'claude-sonnet-4-5',
    system: 'You are a porter.',
    messages: [{ role: 'user', content: task }, ...turns],
  };
}

function responses({ task, acts }: PlainRun): Json {
  const items = acts.flatMap((act): Json[] => {
    if (act.kind === 'call') return [{ type: 'function_call_output', call_id: act.id, output: act.result }];
    const calls = callsOf(act).map(({ id, name, args }): Json => {
      return { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) };
    });
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: act.text }] }, ...calls];
  });
  return { model: MODEL, input: [{ role: 'user', content: task }, ...items] };
}

function langSmithRuns({ agent, task, acts }: PlainRun): Json[] {
  const time = (second: number) => new Date(START_MS + 1000 * second).toISOString();
  const id = (n: number) => `0193a4c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const root = {
    id: id(0),
    trace_id: id(0),
    name: agent,
    run_type: 'chain',
    start_time: time(0),
    end_time: time(acts.length + 1),
    inputs: { input: task },
    ...endOf(acts.at(-1)!),
  };
  const children = acts.map((act, n): { [key: string]: Json } => ({
    id: id(n + 1),
    trace_id: id(0),
    parent_run_id: id(0),
    name: act.kind === 'call' ? act.name : 'ChatOpenAI',
    run_type: act.kind === 'call' ? 'tool' : 'llm',
    start_time: time(n),
    end_time: time(n + 1),
    ...(act.kind === 'call'
      ? {
          inputs: act.args,
          ...(act.hasFailed ? { error: act.result } : { outputs: { output: act.result } }),
        }
      : {
          inputs: { messages: [{ role: 'user', content: task }] },
          outputs: { choices: [{ message: chatMessage(act) }] },
          extra: { metadata: { ls_model_name: MODEL } },
        }),
  }));
  return [root, ...children];
}

/** The root has the answer, or the failure of the last call. */
function endOf(last: Act): { [key: string]: Json } {
  if (last.kind === 'answer') return { outputs: { output: last.text } };
  return last.hasFailed === true ? { error: last.result } : {};
}

function conversation({ task, acts }: PlainRun): Json {
  const turns = acts.map((act) =>
    act.kind === 'call'
      ? { role: 'tool', tool_call_id: act.id, name: act.name, content: act.result }
      : chatMessage(act),
  );
  return { messages: [{ role: 'user', content: task }, ...turns], model: MODEL };
}

function chatMessage(act: Extract<Act, { kind: 'answer' }>): { [key: string]: Json } {
  const calls = callsOf(act).map(({ id, name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: act.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

function record({ agent, task, acts }: PlainRun): Json {
  const steps = acts.map((act, index): { [key: string]: Json } =>
    act.kind === 'call'
      ? {
          index,
          agent,
          kind: 'tool',
          name: act.name,
          input: JSON.stringify(act.args),
          output: act.hasFailed ? '' : act.result,
          error: act.hasFailed ? act.result : null,
        }
      : { index, agent, kind: 'llm', name: 'chat', input: task, output: act.text, state: { model: MODEL } },
  );
  return { id: 'run-1', kind: 'trace', framework: `own/${MODEL}`, task, steps };
}

/** OTLP ids are 16 and 8 bytes. */
function withHexIds(span: Span): Span {
  const hex = (id: string, digits: number) => Buffer.from(id).toString('hex').padStart(digits, '0').slice(-digits);
  return {
    ...span,
    traceId: hex(span.traceId, 32),
    spanId: hex(span.spanId, 16),
    parentSpanId: span.parentSpanId === null ? null : hex(span.parentSpanId, 16),
  };
}

const decode = (body: Json): Span[] => decodeBytes(Buffer.from(JSON.stringify(body)));

function decodeBytes(body: Buffer): Span[] {
  const { spans, rejections } = decodeAny(body, { receivedAtMs: START_MS });
  if (rejections.length > 0) throw new Error(`${rejections[0]!.pointer}: ${rejections[0]!.message}`);
  return spans;
}
