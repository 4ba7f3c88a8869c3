import type { ModelReply, ModelTurn, OfferedTool } from './script.ts';
import { argumentsText, callOf, isObject, type Loose, listOf, type Stamp, textIn, type WireAnswer } from './wire.ts';

/** Tools of a request to the Chat Completions or the Responses API, those of namespaces included. */
export function offeredTools(body: Loose): OfferedTool[] {
  const later = listOf(body.input).flatMap(({ type, tools }) => (type === 'additional_tools' ? listOf(tools) : []));
  return [...listOf(body.tools), ...later]
    .flatMap((tool) => (tool.type === 'namespace' ? listOf(tool.tools) : [tool]))
    .flatMap((tool) => {
      const { name, parameters } = isObject(tool.function) ? tool.function : tool;
      if (typeof name !== 'string') return [];
      return [{ name, schema: parameters as OfferedTool['schema'], isFree: tool.type === 'custom' }];
    });
}

export function readChat(body: Loose): ModelTurn {
  const messages = listOf(body.messages);
  const calls = messages.flatMap(({ tool_calls }) => listOf(tool_calls));
  const last = calls.at(-1)?.function;
  const textsOf = (...roles: string[]) =>
    messages.filter(({ role }) => roles.includes(String(role))).map(({ content }) => textIn(content));
  return {
    model: String(body.model),
    system: textsOf('system', 'developer').join('\n'),
    user: textsOf('user'),
    tools: offeredTools(body),
    calls: calls.length,
    lastCall: isObject(last) ? String(last.name) : null,
    wantsJson: body.response_format !== undefined,
  };
}

/** The reply in the shape of the Chat Completions API. */
export function writeChat(body: Loose, reply: ModelReply, { number, unixSeconds, usage }: Stamp): WireAnswer {
  const call = callOf(reply);
  const content = 'text' in reply ? reply.text : null;
  const tool_calls = call && [
    {
      index: 0,
      id: call.id ?? `call_${number}`,
      type: 'function',
      function: { name: call.name, arguments: argumentsText(call) },
    },
  ];
  const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const base = { id: `chatcmpl-${number}`, created: unixSeconds, model: body.model };
  const tokens = {
    prompt_tokens: usage.fresh + usage.cached,
    completion_tokens: usage.output,
    total_tokens: usage.fresh + usage.cached + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
  if (body.stream !== true) {
    const choices = [{ index: 0, message, logprobs: null, finish_reason }];
    return { json: { ...base, object: 'chat.completion', choices, usage: tokens } };
  }
  const chunk = (choices: object[], more = {}) => ({ ...base, object: 'chat.completion.chunk', choices, ...more });
  return {
    chunks: [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage: tokens }),
    ],
  };
}
