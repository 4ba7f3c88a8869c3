import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { TokenUsage } from '../../core/trace.ts';

/** Reported tokens of a message or response, by OpenAI's and Anthropic's names; null if there are none. */
export function readUsage({ usage, tokens, token_count }: JsonObject): Partial<TokenUsage> | null {
  if (isJsonObject(usage)) return usageOf(usage);
  const own = countOf(tokens) ?? countOf(token_count);
  return own === null ? null : { output: own };
}

function usageOf(usage: JsonObject): Partial<TokenUsage> | null {
  const details = [usage.prompt_tokens_details, usage.input_tokens_details].find(isJsonObject) ?? {};
  const spent = [usage.completion_tokens_details, usage.output_tokens_details].find(isJsonObject) ?? {};
  const cacheRead = countOf(usage.cache_read_input_tokens);
  const cacheWrite = countOf(usage.cache_creation_input_tokens);
  const promptTokens = countOf(usage.prompt_tokens) ?? countOf(usage.input_tokens);
  // Anthropic excludes cached tokens from the input, OpenAI includes them.
  const input = promptTokens === null ? null : promptTokens + (cacheRead ?? 0) + (cacheWrite ?? 0);
  const output = countOf(usage.completion_tokens) ?? countOf(usage.output_tokens);
  if (input === null && output === null) return null;
  return {
    input,
    output,
    cacheRead: cacheRead ?? countOf(details.cached_tokens),
    cacheWrite,
    reasoning: countOf(spent.reasoning_tokens),
  };
}

function countOf(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
