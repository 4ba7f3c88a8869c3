/** Offline facts about a model: context window and price. */
export interface ModelInfo {
  id: string;
  provider: string;
  /** Maximum tokens of one call; null if unknown. */
  contextWindow: number | null;
  /** US dollars per million tokens; null if unknown. */
  inputPerMillionUsd: number | null;
  outputPerMillionUsd: number | null;
}

export interface ModelCatalog {
  /** Looks up a model by the name that a sender used (dated, prefixed and provider-qualified names too); null if unknown. */
  find(model: string, provider?: string | null): ModelInfo | null;
  /**
   * Cost of one call in US dollars; null if model or price is unknown. Cached tokens have their own price.
   * @param atMs time of the call, Unix milliseconds: prices change. Null or omitted: the date of the price list
   */
  costUsd(model: string, provider: string | null, usage: CatalogUsage, atMs?: number | null): number | null;
}

export interface CatalogUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  /** Part of `cacheWriteTokens` that was written with a lifetime of one hour instead of five minutes. */
  cacheWriteHourTokens?: number;
}
