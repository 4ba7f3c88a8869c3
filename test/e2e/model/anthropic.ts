import type { ModelReply, ModelTurn, OfferedTool } from './script.ts';
import {
  argumentsText,
  callOf,
  isObject,
  type Loose,
  listOf,
  nameOf,
  type Stamp,
  textIn,
  type WireAnswer,
} from './wire.ts';

export function readAnthropic(body: Loose): ModelTurn {
  const messages = listOf(body.messages);
  const calls = messages.flatMap(({ content }) => listOf(content).filter(({ type }) => type === 'tool_use'));
  return {
    model: String(body.model),
    system: textIn(body.system),
    user: messages.flatMap(({ role, content }) => (role === 'user' ? [textIn(content)] : [])),
    tools: listOf(body.tools).map(({ name, input_schema }) => ({
      name: String(name),
      schema: input_schema as OfferedTool['schema'],
      isFree: false,
    })),
    calls: calls.length,
    lastCall: nameOf(calls.at(-1)),
    wantsJson: isObject(body.output_config) && body.output_config.format !== undefined,
  };
}

/** The reply in the shape of the Anthropic Messages API. */
export function writeAnthropic(body: Loose, reply: ModelReply, { number, usage }: Stamp): WireAnswer {
  const call = callOf(reply);
  const text = 'text' in reply ? reply.text : '';
  const started = call && { type: 'tool_use', id: `toolu_${call.id ?? number}`, name: call.name, input: {} };
  const tokens = {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: usage.written,
    output_tokens: usage.output,
  };
  const stop_reason = call ? 'tool_use' : 'end_turn';
  const base = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    stop_sequence: null,
  };
  if (body.stream !== true) {
    const block = call ? { ...started, input: 'free' in call ? {} : call.arguments } : { type: 'text', text };
    return { json: { ...base, content: [block], stop_reason, usage: tokens } };
  }
  const delta = call ? { type: 'input_json_delta', partial_json: argumentsText(call) } : { type: 'text_delta', text };
  const message = { ...base, content: [], stop_reason: null, usage: { ...tokens, output_tokens: 1 } };
  return {
    events: [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: started ?? { type: 'text', text } },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output } },
      { type: 'message_stop' },
    ] as { type: string }[],
  };
}
