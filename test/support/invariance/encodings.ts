import type { Json } from '../../../src/core/json.ts';
import type { Attributes, Span } from '../../../src/core/span.ts';
import { decodeAny } from '../../../src/formats/detect/detect-format.ts';
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

function decode(body: Json): Span[] {
  const { spans, rejections } = decodeAny(Buffer.from(JSON.stringify(body)), { receivedAtMs: START_MS });
  if (rejections.length > 0) throw new Error(`${rejections[0]!.pointer}: ${rejections[0]!.message}`);
  return spans;
}
