import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ReadTurn } from './conversation.ts';
import { readTimeNs } from './time-of.ts';
import type { TurnCollector } from './turn-collector.ts';

/** Request and response of a provider's call in any wrapping, with pointers to their positions. */
export interface Exchange {
  request: JsonObject;
  requestAt: string;
  response: JsonObject | null;
  responseAt: string;
}

/**
 * The request and response of a call: `{request, response}`, each optionally with a `body`, both merged in one object, or
 * only one of them.
 */
export function readExchange(data: JsonObject, isResponse: (value: JsonObject) => boolean): Exchange {
  const request = bodyUnder(data, ['request', 'body', 'params', 'kwargs']);
  const response = bodyUnder(data, ['response', 'result', 'completion']);
  const own = isResponse(data) ? { value: data, at: '' } : null;
  return {
    request: request?.value ?? data,
    requestAt: request?.at ?? '',
    response: (response ?? own)?.value ?? null,
    responseAt: (response ?? own)?.at ?? '',
  };
}

function bodyUnder(data: JsonObject, keys: readonly string[]): { value: JsonObject; at: string } | null {
  for (const key of keys) {
    const value = data[key];
    if (!isJsonObject(value)) continue;
    return isJsonObject(value.body) ? { value: value.body, at: `/${key}/body` } : { value, at: `/${key}` };
  }
  return null;
}

/** Facts about a response besides its text. */
export function responseFacts(
  response: JsonObject,
  usage: ReadTurn['usage'],
  finishReason: Json | undefined,
): Parameters<TurnCollector['closeAnswer']>[0] {
  return {
    model: typeof response.model === 'string' ? response.model : null,
    usage,
    finishReason: typeof finishReason === 'string' ? finishReason : null,
    atNs: readTimeNs(response.created ?? response.created_at),
  };
}

export function modelOf(request: JsonObject): string | null {
  return typeof request.model === 'string' && request.model !== '' ? request.model : null;
}

/** Names by which a sender distinguishes conversations, of the object or its metadata. */
export function conversationName(data: JsonObject): string | null {
  const places = [data, data.metadata].filter(isJsonObject);
  for (const place of places) {
    const { conversation, conversation_id, session_id, thread_id } = place;
    const nested = isJsonObject(conversation) ? conversation.id : conversation;
    const name = [conversation_id, session_id, thread_id, nested].find(isName);
    if (name !== undefined) return name;
  }
  return null;
}

const MAX_NAME_LENGTH = 200;

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}
