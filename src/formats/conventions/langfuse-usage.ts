import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { TokenUsage } from '../../core/trace.ts';

/**
 * Tokens of a Langfuse observation. Langfuse uses a separate bucket for each price (`input`, `input_cached_tokens`,
 * `output_reasoning`, …), so input and output are sums of buckets. Older SDKs send OpenAI's names.
 */
export function readLangfuseUsage(usage: Json | undefined): Partial<TokenUsage> {
  if (!isJsonObject(usage)) return {};
  const counts: [keyof TokenUsage, number | undefined][] = [
    ['input', sumUnder(usage, 'input') ?? countIn(usage, 'promptTokens', 'prompt_tokens')],
    ['output', sumUnder(usage, 'output') ?? countIn(usage, 'completionTokens', 'completion_tokens')],
    ['total', countIn(usage, 'total', 'totalTokens', 'total_tokens')],
    ['cacheRead', countIn(usage, 'input_cache_read', 'input_cached_tokens')],
    ['cacheWrite', countIn(usage, 'input_cache_creation', 'input_cache_write')],
    ['reasoning', countIn(usage, 'output_reasoning', 'output_reasoning_tokens')],
  ];
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined));
}

/** Sum of Langfuse's costs: `total` if sent, else the sum of the buckets. Undefined if there is no cost. */
export function readLangfuseCost(costs: Json | undefined): number | undefined {
  if (!isJsonObject(costs)) return undefined;
  const { total, ...buckets } = costs;
  const parts = Object.values(buckets).filter((cost) => typeof cost === 'number');
  const cost = typeof total === 'number' ? total : parts.reduce((sum, part) => sum + part, 0);
  return cost > 0 && Number.isFinite(cost) ? cost : undefined;
}

function sumUnder(usage: JsonObject, side: string): number | undefined {
  const counts = Object.keys(usage).flatMap((key) =>
    key === side || key.startsWith(`${side}_`) ? (countIn(usage, key) ?? []) : [],
  );
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

function countIn(usage: JsonObject, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const count = usage[key];
    if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count;
  }
  return undefined;
}
