import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS } from '../misstep/derived-id.ts';
import { jsonOf, makeSpan } from './run-span.ts';

/**
 * Model and tool calls in the new messages of a node, as spans inside the node's span. Their times only keep the order. A
 * message without model, tokens and tool calls was written by the node itself and gives no span.
 * @param before the state that the node received: its messages are not new, and contain the requests of the tool results
 */
export function messageSpans(node: Span, before: Json, result: Json | undefined): Span[] {
  const known = new Set(messagesIn(before).map((message) => message.id ?? null));
  const newMessages = messagesIn(result).filter(({ id }) => id === undefined || !known.has(id));
  const requests = [...messagesIn(before), ...newMessages].flatMap(callsOf);
  return newMessages.flatMap((message, at) => {
    const attributes =
      message.tool_call_id === undefined ? modelAttributes(message) : toolAttributes(message, requests);
    return attributes === null ? [] : [spanOf(node, message, at, attributes)];
  });
}

function spanOf(node: Span, message: JsonObject, at: number, attributes: Record<string, Json>): Span {
  const hasFailed = message.status === 'error';
  return makeSpan({
    traceId: node.traceId,
    spanId: derivedId(SPAN_ID_DIGITS, node.traceId, node.spanId, 'message', at),
    parentSpanId: node.spanId,
    name: textOf(attributes['gen_ai.tool.name']) ?? 'chat',
    startNs: node.startNs + BigInt(at + 1),
    endNs: node.endNs,
    status: hasFailed ? { code: 2, message: jsonOf(message.content) ?? '' } : { code: 0, message: '' },
    attributes: { ...attributes, [MISSTEP.isSpanSynthetic]: true, [MISSTEP.isTimeSynthetic]: true },
  });
}

/** Facts of an answer about its model call; null if there are none. */
export function modelAttributes(message: JsonObject): Record<string, Json> | null {
  const answered = isJsonObject(message.response_metadata) ? message.response_metadata : {};
  const usage = isJsonObject(message.usage_metadata) ? message.usage_metadata : null;
  const model = textOf(answered.model_name) ?? textOf(answered.model);
  if (usage === null && model === null && callsOf(message).length === 0) return null;
  const reason = answered.finish_reason ?? answered.stop_reason;
  const details = isJsonObject(usage?.input_token_details) ? usage.input_token_details : {};
  const outputDetails = isJsonObject(usage?.output_token_details) ? usage.output_token_details : {};
  return {
    [MISSTEP.stepKind]: 'llm',
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.provider.name': textOf(answered.model_provider),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', content: message.content ?? '', tool_calls: callsOf(message) },
    ]),
    'gen_ai.response.finish_reasons': typeof reason === 'string' ? [reason] : null,
    'gen_ai.usage.input_tokens': usage?.input_tokens ?? null,
    'gen_ai.usage.output_tokens': usage?.output_tokens ?? null,
    'gen_ai.usage.total_tokens': usage?.total_tokens ?? null,
    'gen_ai.usage.cache_read.input_tokens': details.cache_read ?? null,
    'gen_ai.usage.reasoning.output_tokens': outputDetails.reasoning ?? null,
  };
}

function toolAttributes(message: JsonObject, requests: readonly JsonObject[]): Record<string, Json> {
  const call = requests.find(({ id }) => id === message.tool_call_id);
  return {
    [MISSTEP.stepKind]: 'tool',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': textOf(message.name) ?? textOf(call?.name) ?? 'tool',
    'gen_ai.tool.call.id': message.tool_call_id ?? null,
    'gen_ai.tool.call.arguments': jsonOf(call?.args),
    'gen_ai.tool.call.result': jsonOf(message.content),
  };
}

/** Messages of a state or of a node's output, flat or as LangChain constructors; those of a command are in its `update`. */
function messagesIn(value: Json | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (!isJsonObject(value)) return [];
  const messages = isJsonObject(value.update) ? value.update.messages : value.messages;
  const list = Array.isArray(messages) ? messages : [messages ?? null];
  return list.filter(isJsonObject).map((message) => (isJsonObject(message.kwargs) ? message.kwargs : message));
}

function callsOf(message: JsonObject): JsonObject[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
