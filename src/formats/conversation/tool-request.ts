import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { jsonOrText } from '../conventions/attribute-values.ts';
import type { RequestedTool } from './conversation.ts';

/**
 * A tool call in the formats of OpenAI (`function`, `custom`, responses items) and Anthropic (`input`); null without a
 * name.
 */
export function readTool(call: JsonObject): RequestedTool | null {
  const body = [call.function, call.custom].find(isJsonObject) ?? call;
  if (typeof body.name !== 'string' || body.name === '') return null;
  const id = [call.call_id, call.id].find((value) => typeof value === 'string' && value !== '');
  const given = body.arguments ?? body.input ?? body.args ?? null;
  return { id: typeof id === 'string' ? id : null, name: body.name, arguments: argumentsOf(given) };
}

function argumentsOf(given: Json): Json {
  return typeof given === 'string' ? jsonOrText(given) : given;
}
