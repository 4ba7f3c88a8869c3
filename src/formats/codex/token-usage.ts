import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';

const COUNTS = [
  ['gen_ai.usage.input_tokens', 'input_tokens'],
  ['gen_ai.usage.output_tokens', 'output_tokens'],
  ['gen_ai.usage.cache_read.input_tokens', 'cached_input_tokens'],
  ['gen_ai.usage.cache_creation.input_tokens', 'cache_write_input_tokens'],
  ['gen_ai.usage.reasoning.output_tokens', 'reasoning_output_tokens'],
] as const;

/**
 * Codex reports token counts after each model call, and repeats them at other times (a compaction, a change of limits). The
 * total distinguishes a repetition from a new count.
 */
export class TokenUsage {
  #total: JsonObject | null = null;
  /** Tokens in context in the last count, including repeated counts. */
  contextTokens: number | null = null;

  /** Usage of one model call; null for a repeated count and for one without numbers. */
  usageOf(info: Json | undefined): Attributes | null {
    if (!isJsonObject(info)) return null;
    const total = isJsonObject(info.total_token_usage) ? info.total_token_usage : null;
    const last = isJsonObject(info.last_token_usage) ? info.last_token_usage : null;
    const isRepeated =
      total !== null && this.#total !== null && COUNTS.every(([, name]) => total[name] === this.#total![name]);
    this.contextTokens = countIn(last, 'total_tokens') ?? this.contextTokens;
    const usage = last ?? difference(total, this.#total);
    this.#total = total ?? this.#total;
    return isRepeated || usage === null ? null : attributesOf(usage);
  }
}

function difference(total: JsonObject | null, before: JsonObject | null): JsonObject | null {
  if (total === null) return null;
  const pairs = COUNTS.map(([, name]) => [
    name,
    Math.max((countIn(total, name) ?? 0) - (countIn(before, name) ?? 0), 0),
  ]);
  return Object.fromEntries(pairs);
}

function attributesOf(usage: JsonObject): Attributes | null {
  const pairs = COUNTS.flatMap(([key, name]): [string, number][] => {
    const count = countIn(usage, name);
    return count === null ? [] : [[key, count]];
  });
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

function countIn(object: JsonObject | null, name: string): number | null {
  const count = object?.[name];
  return typeof count === 'number' && count >= 0 ? count : null;
}
