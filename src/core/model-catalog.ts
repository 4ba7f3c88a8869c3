/** What is known offline about a model: its context window and its price. */
export interface ModelInfo {
  id: string;
  provider: string;
  /** Tokens that fit into one call; null where unknown. */
  contextWindow: number | null;
  /** US dollars for a million tokens; null where unknown. */
  inputPerMillionUsd: number | null;
  outputPerMillionUsd: number | null;
}

export interface ModelCatalog {
  /** The model by the name a sender used (dated, prefixed and provider-qualified names too); null where unknown. */
  find(model: string, provider?: string | null): ModelInfo | null;
  /**
   * Cost of one call in US dollars; null where model or price is unknown. Cached tokens are priced as such.
   * @param atMs when the call was made, Unix milliseconds: prices change. Null or left out: the price list's own date
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
