import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Message, Step, Trace } from '../../core/trace.ts';

/**
 * Ids of the protocol between agent, model and tools: of tool calls, messages, responses, spans and sessions. They name
 * parts of the run itself, so an answer that contains one makes no claim. In lower case.
 */
export function protocolIds(trace: Trace, answer: string): string[] {
  const known = [
    trace.traceId,
    trace.sessionId,
    trace.threadId,
    ...trace.steps.flatMap(stepIds),
    ...trace.checkpoints.map(({ id }) => id),
    ...idsIn(structureOf(answer)),
  ];
  return known.filter((id) => id !== null && id !== undefined && id !== '').map((id) => String(id).toLowerCase());
}

function stepIds({ spanId, messageId, tool, inputMessages, outputMessages }: Step): (string | null | undefined)[] {
  return [spanId, messageId, tool?.id, ...inputMessages.flatMap(messageIds), ...outputMessages.flatMap(messageIds)];
}

function messageIds({ toolCallId, toolCalls }: Message): (string | null)[] {
  return [toolCallId, ...toolCalls.map(({ id }) => id)];
}

/** Parses an answer that a sender stored as JSON text, possibly encoded twice. */
function structureOf(answer: string): Json {
  const once = parseJson(answer);
  return (typeof once === 'string' ? parseJson(once) : once) ?? null;
}

const ID_KEYS = [
  'toolCallId',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  'message_id',
  'messageId',
  'response_id',
  'responseId',
];
/** Keys that identify an object as a message, a tool request or a model response. */
const PROTOCOL_KEYS = [
  'role',
  'tool_calls',
  'toolCalls',
  'toolName',
  'function',
  'functionCall',
  'choices',
  'finish_reason',
  'stop_reason',
];
const PROTOCOL_TYPES: ReadonlySet<Json | undefined> = new Set([
  'function',
  'function_call',
  'function_call_output',
  'message',
  'tool-call',
  'tool-result',
  'tool_call',
  'tool_call_response',
  'tool_result',
  'tool_use',
]);

/** Protocol ids in a structured answer. Other ids, such as an order's, are claims. */
function idsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isJsonObject(value)) return [];
  const own = [...ID_KEYS.map((key) => value[key]), isProtocolObject(value) ? value.id : null];
  return [
    ...own.filter((id) => typeof id === 'string'),
    ...Object.values(value).flatMap((inner) => idsIn(inner ?? null)),
  ];
}

function isProtocolObject(value: JsonObject): boolean {
  return PROTOCOL_KEYS.some((key) => Object.hasOwn(value, key)) || PROTOCOL_TYPES.has(value.type);
}
