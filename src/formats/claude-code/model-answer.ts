import type { Json, JsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import { countOf, objectOf, textOf } from '../coding-session/fields.ts';
import { MISSTEP } from '../misstep/attributes.ts';

/** Model name of answers that the program writes in place of the model. */
export const SYNTHETIC_MODEL = '<synthetic>';

export interface AnswerPart {
  type: string;
  [key: string]: Json;
}

/** The text of a block; null for thinking and similar blocks. */
export function partOf(block: JsonObject): AnswerPart | null {
  if (block.type === 'text' && typeof block.text === 'string') return { type: 'text', content: block.text };
  if (block.type !== 'tool_use') return null;
  return { type: 'tool_call', id: block.id ?? null, name: block.name ?? null, arguments: block.input ?? null };
}

/** `input_tokens` of the API excludes cache reads and writes; our input includes them. */
export function modelAttributes(message: JsonObject): Attributes {
  const usage = objectOf(message.usage);
  const read = countOf(usage.cache_read_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const hour = countOf(objectOf(usage.cache_creation).ephemeral_1h_input_tokens);
  const attributes: Record<string, Json> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': textOf(message.model),
    'gen_ai.usage.input_tokens': sumOf([countOf(usage.input_tokens), read, written]),
    'gen_ai.usage.output_tokens': countOf(usage.output_tokens),
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_creation.input_tokens': written,
    [MISSTEP.cacheWriteHourTokens]: hour === 0 ? null : hour,
    [MISSTEP.isUsagePartial]: isPartial(message, usage) ? true : null,
    'gen_ai.response.finish_reasons': typeof message.stop_reason === 'string' ? [message.stop_reason] : null,
  };
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** Before the answer has ended, the API reports no stop reason, and the output tokens of its first event. */
function isPartial({ stop_reason: reason }: JsonObject, usage: JsonObject): boolean {
  return reason === null && countOf(usage.output_tokens) !== null;
}

function sumOf(values: (number | null)[]): number | null {
  const counts = values.filter((value) => value !== null);
  return counts.length === 0 ? null : counts.reduce((sum, value) => sum + value, 0);
}

export interface ModelError {
  type: string;
  message: string;
  /** Whether the user's quota, the credit or the context is exhausted: a retry does not help. */
  isLimit: boolean;
}

const MAX_MESSAGE_LENGTH = 1_000;
const LIMITS = /\b(?:usage limit|limit reached|hit your .{0,20}limit|credit balance is too low|prompt is too long)\b/i;

/** The error in an answer written by the program. */
export function errorInAnswer(line: JsonObject, text: string): ModelError {
  const status = /^API Error: (\d{3})\b/.exec(text)?.[1];
  const message = text.slice(0, MAX_MESSAGE_LENGTH);
  return { type: status ?? textOf(line.error) ?? 'api_error', message, isLimit: LIMITS.test(message) };
}

/** The error of a request that the program retries. */
export function errorInRetry({ error, cause }: JsonObject): ModelError {
  const details = objectOf(error);
  const code = textOf(objectOf(cause).code) ?? textOf(objectOf(details.cause).code);
  const status = countOf(details.status);
  const inner = objectOf(objectOf(details.error).error);
  const type = status === null ? (code ?? textOf(inner.type) ?? 'api_error') : String(status);
  const message = textOf(inner.message) ?? textOf(details.message) ?? code ?? type;
  return { type, message: message.slice(0, MAX_MESSAGE_LENGTH), isLimit: false };
}
