import type { Json } from '../../../src/core/json.ts';
import type { Attributes, Span } from '../../../src/core/span.ts';
import type { Message } from '../../../src/core/trace.ts';
import { MISSTEP } from '../../../src/formats/misstep/attributes.ts';
import { chatMessage, sentMessage } from './chat-encodings.ts';
import {
  type Act,
  type Answer,
  agentOf,
  type Call,
  callsOf,
  modelOf,
  type PlainRun,
  resultOf,
  type Said,
  sentTo,
} from './plain-run.ts';

/** Attributes of the spans of a run in one convention. */
export interface SpanEncoding {
  /** Of the span around the run. */
  root(run: PlainRun): Attributes;
  act(act: Act, run: PlainRun): Attributes;
}

/** Acts of one agent in answer to one request. */
export interface Invocation {
  agent: string;
  acts: readonly (Answer | Call)[];
}

/** A convention in which the spans of an agent's acts are inside a span that names it. */
export interface NestedEncoding extends SpanEncoding {
  invocation(invocation: Invocation, run: PlainRun): Attributes;
}

/** Omits values that are not known. */
function known(attributes: { [key: string]: Json | undefined }): Attributes {
  const entries = Object.entries(attributes).filter((entry): entry is [string, Json] => {
    return entry[1] !== undefined && entry[1] !== null;
  });
  return Object.fromEntries(entries);
}

function textMessages(role: string, content: string): string {
  return JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
}

/** The current attribute names of OpenTelemetry's GenAI conventions, with messages as JSON. */
export const GEN_AI: SpanEncoding = {
  root: ({ agent, task }) => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent,
    'gen_ai.input.messages': textMessages('user', task),
  }),
  act(act, run) {
    const agent = agentOf(act, run);
    if (act.kind === 'message')
      return {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent,
        'gen_ai.output.messages': textMessages('assistant', act.text),
      };
    if (act.kind === 'call')
      return known({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.agent.name': agent,
        'gen_ai.tool.name': act.name,
        'gen_ai.tool.call.id': act.id,
        'gen_ai.tool.call.arguments': JSON.stringify(act.args),
        'gen_ai.tool.call.result': resultOf(act),
        'error.type': act.error?.type,
      });
    const calls = callsOf(act).map(({ id, name, args }) => ({ type: 'tool_call', id, name, arguments: args }));
    const parts = [{ type: 'text', content: act.text }, ...calls];
    return known({
      'gen_ai.operation.name': 'chat',
      'gen_ai.agent.name': agent,
      'gen_ai.request.model': modelOf(act),
      'gen_ai.usage.input_tokens': act.tokens?.input,
      'gen_ai.usage.output_tokens': act.tokens?.output,
      'gen_ai.input.messages': JSON.stringify(sentTo(act, run).map(genAiMessage)),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts }]),
    });
  },
};

function genAiMessage({ role, name, content, toolCalls, toolCallId }: Message): Json {
  const calls = toolCalls.map((call) => ({
    type: 'tool_call',
    id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  const text = content === '' ? [] : [{ type: 'text', content }];
  const parts = toolCallId === null ? [...text, ...calls] : [toolAnswer(toolCallId, content)];
  return { role, ...(name === null ? {} : { name }), parts };
}

function toolAnswer(id: string, response: string): Json {
  return { type: 'tool_call_response', id, response };
}

/** Only the span of an invocation names the agent and repeats what it received and answered, as agent frameworks send it. */
export const GEN_AI_AGENTS: NestedEncoding = {
  root: ({ agent }) => ({ 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': agent }),
  invocation({ agent, acts }, run) {
    const answers = acts.filter((act) => act.kind === 'answer');
    const last = acts.at(-1);
    return known({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.input.messages': answers[0] && JSON.stringify(sentTo(answers[0], run).map(genAiMessage)),
      'gen_ai.output.messages': last?.kind === 'answer' ? textMessages('assistant', last.text) : undefined,
    });
  },
  act: (act, run) =>
    act.kind === 'message' ? GEN_AI.act(act, run) : without('gen_ai.agent.name', GEN_AI.act(act, run)),
};

function without(key: string, { [key]: _, ...rest }: Attributes): Attributes {
  return rest;
}

export const GRAPH_RUNTIME: SpanEncoding = {
  root: GEN_AI.root,
  act: (act, run) => ({ 'graphruntime.node.name': agentOf(act, run), ...GEN_AI.act(act, run) }),
};

/** The keys that the project's own decoders write, next to those of OpenTelemetry. */
export const NATIVE: SpanEncoding = {
  root: ({ task, statedTask }) => ({
    [MISSTEP.stepKind]: 'chain',
    [MISSTEP.isRootSynthetic]: true,
    [MISSTEP.task]: statedTask ?? task,
  }),
  act(act, run) {
    const common = known({
      [MISSTEP.stepKind]: KINDS[act.kind],
      [MISSTEP.isTimeSynthetic]: act.time === undefined ? true : null,
    });
    if (act.kind !== 'message') return { ...common, ...GEN_AI.act(act, run) };
    return known({
      ...common,
      'gen_ai.agent.name': act.agent,
      'gen_ai.output.messages': textMessages(act.role, act.text),
    });
  },
};

const KINDS: Readonly<Record<Act['kind'], string>> = { answer: 'llm', call: 'tool', message: 'message' };

export const OPEN_INFERENCE: SpanEncoding = {
  root: ({ agent, task }) => ({
    'openinference.span.kind': 'AGENT',
    'agent.name': agent,
    'input.value': task,
  }),
  act(act, run) {
    const common = { 'agent.name': agentOf(act, run) };
    if (act.kind === 'message')
      return { ...common, 'openinference.span.kind': 'AGENT', 'output.value': act.text, 'graph.node.id': act.agent! };
    if (act.kind === 'call')
      return known({
        ...common,
        'openinference.span.kind': 'TOOL',
        'tool.name': act.name,
        'input.value': JSON.stringify(act.args),
        'output.value': resultOf(act),
      });
    const calls = callsOf(act).map(({ id, name, args }) => ({ id, name, arguments: args }));
    return known({
      ...common,
      'openinference.span.kind': 'LLM',
      'llm.model_name': modelOf(act),
      'llm.token_count.prompt': act.tokens?.input,
      'llm.token_count.completion': act.tokens?.output,
      ...numberedMessages('llm.input_messages', sentTo(act, run)),
      ...numberedMessages('llm.output_messages', [
        { role: 'assistant', content: act.text, name: null, toolCallId: null, toolCalls: calls },
      ]),
    });
  },
};

export const OPEN_INFERENCE_AGENTS: NestedEncoding = {
  root: ({ task }) => ({ 'openinference.span.kind': 'CHAIN', 'input.value': task }),
  invocation({ agent, acts }, run) {
    const answers = acts.filter((act) => act.kind === 'answer');
    const last = acts.at(-1);
    return known({
      'openinference.span.kind': 'AGENT',
      'agent.name': agent,
      'input.value': answers[0] && sentTo(answers[0], run).findLast(({ role }) => role === 'user')?.content,
      'output.value': last?.kind === 'answer' ? last.text : undefined,
    });
  },
  act: (act, run) =>
    act.kind === 'message' ? OPEN_INFERENCE.act(act, run) : without('agent.name', OPEN_INFERENCE.act(act, run)),
};

type SentMessage = Omit<Message, 'toolCalls'> & { toolCalls: readonly Omit<Message['toolCalls'][number], 'result'>[] };

function numberedMessages(prefix: string, messages: readonly SentMessage[]): Attributes {
  const attributes: { [key: string]: Json | undefined } = {};
  for (const [n, { role, name, content, toolCalls, toolCallId }] of messages.entries()) {
    const key = `${prefix}.${n}.message`;
    attributes[`${key}.role`] = role;
    attributes[`${key}.content`] = content;
    attributes[`${key}.name`] = name;
    attributes[`${key}.tool_call_id`] = toolCallId;
    for (const [m, call] of toolCalls.entries()) {
      const callKey = `${key}.tool_calls.${m}.tool_call`;
      attributes[`${callKey}.id`] = call.id;
      attributes[`${callKey}.function.name`] = call.name;
      attributes[`${callKey}.function.arguments`] = JSON.stringify(call.arguments);
    }
  }
  return known(attributes);
}

export const TRACELOOP: SpanEncoding = {
  root: ({ agent, task }) => ({
    'traceloop.span.kind': 'workflow',
    'traceloop.entity.name': agent,
    'traceloop.entity.input': task,
  }),
  act(act, run) {
    const agent = agentOf(act, run);
    if (act.kind === 'message')
      return {
        'traceloop.span.kind': 'agent',
        'traceloop.entity.name': agent,
        'traceloop.entity.output': act.text,
      };
    if (act.kind === 'call')
      return known({
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': act.name,
        'gen_ai.agent.name': agent,
        'traceloop.entity.input': JSON.stringify(act.args),
        'traceloop.entity.output': resultOf(act),
      });
    const calls = callsOf(act).map(({ id, name, args }) => ({ id, name, arguments: args }));
    return known({
      'llm.request.type': 'chat',
      'gen_ai.agent.name': agent,
      'gen_ai.request.model': modelOf(act),
      'gen_ai.usage.prompt_tokens': act.tokens?.input,
      'gen_ai.usage.completion_tokens': act.tokens?.output,
      ...traceloopMessages('gen_ai.prompt', sentTo(act, run)),
      ...traceloopMessages('gen_ai.completion', [
        { role: 'assistant', content: act.text, name: null, toolCallId: null, toolCalls: calls },
      ]),
    });
  },
};

function traceloopMessages(prefix: string, messages: readonly SentMessage[]): Attributes {
  const attributes: { [key: string]: Json | undefined } = {};
  for (const [n, { role, content, toolCalls, toolCallId }] of messages.entries()) {
    attributes[`${prefix}.${n}.role`] = role;
    attributes[`${prefix}.${n}.content`] = content;
    attributes[`${prefix}.${n}.tool_call_id`] = toolCallId;
    for (const [m, call] of toolCalls.entries()) {
      const callKey = `${prefix}.${n}.tool_calls.${m}`;
      attributes[`${callKey}.id`] = call.id;
      attributes[`${callKey}.name`] = call.name;
      attributes[`${callKey}.arguments`] = JSON.stringify(call.arguments);
    }
  }
  return known(attributes);
}

export const VERCEL: SpanEncoding = {
  root: ({ agent, task }) => ({
    'ai.telemetry.functionId': agent,
    'ai.operationId': 'ai.generateText',
    'ai.prompt': JSON.stringify({ prompt: task }),
  }),
  act(act, run) {
    const common = { 'ai.telemetry.functionId': agentOf(act, run) };
    if (act.kind === 'message') return unsupported(act);
    if (act.kind === 'call') {
      const result = resultOf(act);
      return known({
        ...common,
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': act.name,
        'ai.toolCall.id': act.id,
        'ai.toolCall.args': JSON.stringify(act.args),
        'ai.toolCall.result': result === undefined ? undefined : JSON.stringify(result),
      });
    }
    const calls = callsOf(act).map(({ id, name, args }) => ({
      toolCallId: id,
      toolName: name,
      args: JSON.stringify(args),
    }));
    return known({
      ...common,
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.id': modelOf(act),
      'ai.usage.inputTokens': act.tokens?.input,
      'ai.usage.outputTokens': act.tokens?.output,
      'ai.prompt.messages': JSON.stringify(sentTo(act, run).map(vercelMessage)),
      'ai.response.text': act.text,
      'ai.response.toolCalls': calls.length === 0 ? undefined : JSON.stringify(calls),
    });
  },
};

function vercelMessage({ role, content, toolCalls, toolCallId }: Message): Json {
  if (role === 'system') return { role, content };
  if (toolCallId !== null)
    return { role, content: [{ type: 'tool-result', toolCallId, output: { type: 'text', value: content } }] };
  const calls = toolCalls.map(({ id, name, arguments: input }): Json => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input };
  });
  return { role, content: [{ type: 'text', text: content }, ...calls] };
}

export const LANGFUSE: SpanEncoding = {
  root: ({ agent, task }) => ({
    'gen_ai.agent.name': agent,
    'langfuse.observation.type': 'agent',
    'langfuse.observation.input': task,
  }),
  act(act, run) {
    const common = { 'gen_ai.agent.name': agentOf(act, run) };
    if (act.kind === 'message') return unsupported(act);
    if (act.kind === 'call')
      return known({
        ...common,
        'langfuse.observation.type': 'tool',
        'langfuse.observation.input': JSON.stringify(act.args),
        'langfuse.observation.output': resultOf(act),
        ...(act.hasFailed
          ? {
              'langfuse.observation.level': 'ERROR',
              'langfuse.observation.status_message': act.error?.message ?? act.result,
            }
          : {}),
      });
    return known({
      ...common,
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': modelOf(act),
      'langfuse.observation.usage_details':
        act.tokens === undefined ? undefined : JSON.stringify(known({ ...act.tokens })),
      'langfuse.observation.input': JSON.stringify(sentTo(act, run).map(sentMessage)),
      'langfuse.observation.output': JSON.stringify(chatMessage(act)),
    });
  },
};

/** Older GenAI conventions: the messages are events of the span. */
export const GEN_AI_EVENTS: SpanEncoding = {
  root: GEN_AI.root,
  act(act, run) {
    const { 'gen_ai.input.messages': _, 'gen_ai.output.messages': messages, ...rest } = GEN_AI.act(act, run);
    return act.kind === 'message' ? { ...rest, 'gen_ai.output.messages': messages! } : rest;
  },
};

export function withMessageEvents(span: Span, act: Act, run: PlainRun): Span {
  if (act.kind !== 'answer') return span;
  const event = (name: string, attributes: Attributes) => ({ name, timeNs: span.startNs, attributes });
  const sent = sentTo(act, run).map(({ role, content, toolCalls, toolCallId }) =>
    event(
      `gen_ai.${role}.message`,
      known({
        content,
        id: toolCallId,
        tool_calls:
          toolCalls.length === 0
            ? undefined
            : JSON.stringify(sentMessage({ role, content, toolCalls, toolCallId, name: null }).tool_calls),
      }),
    ),
  );
  const choice = { index: 0, finish_reason: 'stop', message: JSON.stringify(chatMessage(act)) };
  return { ...span, events: [...sent, event('gen_ai.choice', choice)] };
}

function unsupported({ agent }: Said): never {
  throw new Error(`this encoding has no span for a message of ${agent}`);
}
