import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { textIn } from './text-in.ts';

export interface MessageCall {
  id: string;
  name: string;
  arguments: Json;
}

/** Content of a message: text, or parts of type text, thinking, image and toolCall. */
export function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => (isJsonObject(part) && part.type === 'text' ? textIn(part, 'text') : null));
  return texts.filter((text) => text !== null).join('\n');
}

export function callsIn(content: Json | undefined): MessageCall[] {
  return (Array.isArray(content) ? content : []).flatMap((part) => {
    if (!isJsonObject(part) || part.type !== 'toolCall') return [];
    const id = textIn(part, 'id');
    const name = textIn(part, 'name');
    return id === null || name === null ? [] : [{ id, name, arguments: part.arguments ?? null }];
  });
}

/** The message in the format of the GenAI conventions. Thinking is omitted because it is not an answer. */
export function toConventionMessage(message: JsonObject): Json {
  const text = contentText(message.content);
  if (message.role === 'toolResult') {
    const id = textIn(message, 'toolCallId');
    return { role: 'tool', parts: [{ type: 'tool_call_response', id, response: text }] };
  }
  const calls = callsIn(message.content).map((call) => ({ type: 'tool_call', ...call }));
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return { role, parts: [...(text === '' ? [] : [{ type: 'text', content: text }]), ...calls] };
}

/** Tokens and cost. OpenClaw excludes cached tokens from the input, the conventions include them. */
export function usageAttributes(usage: Json | undefined): Record<string, Json> {
  if (!isJsonObject(usage)) return {};
  const uncached = countIn(usage, 'input');
  const cacheRead = countIn(usage, 'cacheRead');
  const cacheWrite = countIn(usage, 'cacheWrite');
  const cost = isJsonObject(usage.cost) ? countIn(usage.cost, 'total') : null;
  return {
    'gen_ai.usage.input_tokens': uncached === null ? null : uncached + (cacheRead ?? 0) + (cacheWrite ?? 0),
    'gen_ai.usage.output_tokens': countIn(usage, 'output'),
    'gen_ai.usage.total_tokens': countIn(usage, 'totalTokens'),
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
    'gen_ai.usage.reasoning.output_tokens': countIn(usage, 'reasoningTokens'),
    // OpenClaw writes 0 for a model with an unknown price.
    'misstep.cost_usd': cost === 0 ? null : cost,
  };
}

function countIn(value: JsonObject, key: string): number | null {
  const count = value[key];
  return typeof count === 'number' && count >= 0 && Number.isFinite(count) ? count : null;
}
