import { createRequire } from 'node:module';
import type { CatalogUsage } from '../../core/model-catalog.ts';

type Library = typeof import('@pydantic/genai-prices');
type Calculation = NonNullable<ReturnType<Library['calcPrice']>>;
type ModelPrice = Calculation['model_price'];

/** A model with its price from the price list. */
export interface PricedModel {
  id: string;
  provider: string;
  contextWindow: number | null;
  inputPerMillionUsd: number | null;
  outputPerMillionUsd: number | null;
  /** The library's own records, for computing a cost without a second search. */
  source: { model: Calculation['model']; provider: Calculation['provider']; price: ModelPrice };
}

export interface PriceList {
  find(model: string, provider: string | null): PricedModel | null;
  /** @param atMs time of the call, Unix milliseconds; null: `PRICED_AT` */
  costUsd(model: PricedModel, usage: CatalogUsage, atMs: number | null): number | null;
  models(): PricedModel[];
}

/** Date of the price list, for prices of models that are looked up, and of calls without a time. */
export const PRICED_AT = new Date('2026-11-01T12:00:00Z');

/** Date of the prices, `2026-01-31`. */
export function pricesAsOf(): string {
  return PRICED_AT.toISOString().slice(0, 10);
}

/** Providers of the price list. The library has no synchronous list of its own. */
export const PRICE_PROVIDERS: readonly string[] = [
  'anthropic',
  'arcee',
  'avian',
  'aws',
  'azure',
  'baseten',
  'cerebras',
  'cloudflare',
  'cohere',
  'cursor',
  'deepseek',
  'doubleword',
  'fireworks',
  'github-copilot',
  'google',
  'groq',
  'huggingface_cerebras',
  'huggingface_fireworks-ai',
  'huggingface_groq',
  'huggingface_hyperbolic',
  'huggingface_nebius',
  'huggingface_novita',
  'huggingface_nscale',
  'huggingface_ovhcloud',
  'huggingface_publicai',
  'huggingface_sambanova',
  'huggingface_together',
  'minimax',
  'mistral',
  'modal',
  'moonshotai',
  'novita',
  'openai',
  'openrouter',
  'ovhcloud',
  'perplexity',
  'quicksilverpro',
  'together',
  'typesafe',
  'voyageai',
  'x-ai',
  'zai',
  'zhipuai',
];

/** Bundled prices of @pydantic/genai-prices; its updates over the network stay disabled. */
export function loadPriceList(): PriceList {
  const library = loadLibrary();
  let listed: PricedModel[] | null = null;
  return {
    find: (model, provider) => findPriced(library, model, provider),
    costUsd: (model, usage, atMs) => costOf(library, model, usage, dateOf(atMs)),
    models() {
      listed ??= listAll(library);
      return listed;
    },
  };
}

/** A bundler defers the package to the first call; plain ESM has no `require`. */
function loadLibrary(): Library {
  try {
    return require('@pydantic/genai-prices');
  } catch {
    return createRequire(import.meta.url)('@pydantic/genai-prices');
  }
}

function findPriced(library: Library, model: string, provider: string | null): PricedModel | null {
  const options = { timestamp: PRICED_AT, ...(provider === null ? {} : { providerId: provider }) };
  try {
    const found = library.calcPrice({ input_tokens: 0, output_tokens: 0 }, model, options);
    return found ? toPriced(found.model, found.provider, found.model_price) : null;
  } catch {
    return null; // a record of the list that its own library cannot price
  }
}

function toPriced(model: Calculation['model'], provider: Calculation['provider'], price: ModelPrice): PricedModel {
  return {
    id: model.id,
    provider: provider.id,
    contextWindow: model.context_window ?? null,
    inputPerMillionUsd: baseOf(price.input_mtok),
    outputPerMillionUsd: baseOf(price.output_mtok),
    source: { model, provider, price },
  };
}

function baseOf(price: ModelPrice[string]): number | null {
  if (price === undefined) return null;
  return typeof price === 'number' ? price : price.base;
}

/** No listed model is older: an earlier time is a mistake of the sender. */
const FIRST_PRICE_MS = Date.UTC(2022, 0, 1);

function dateOf(atMs: number | null): Date {
  return atMs === null || atMs < FIRST_PRICE_MS ? PRICED_AT : new Date(atMs);
}

function costOf(library: Library, priced: PricedModel, usage: CatalogUsage, at: Date): number | null {
  if (priced.inputPerMillionUsd === null && priced.outputPerMillionUsd === null) return null;
  const { model, price: listed } = priced.source;
  if (at === PRICED_AT || !Array.isArray(model.prices))
    return flatCost(listed, usage) ?? libraryCost(library, priced.source, usage, at);
  const isDated = model.prices.every(({ constraint }) => constraint === undefined || constraint.type === 'start_date');
  return (isDated ? flatCost(priceAt(model, at), usage) : null) ?? libraryCost(library, priced.source, usage, at);
}

/** The common case, a hundred times faster than the library's general rule and equal to it (tested). */
function flatCost(price: ModelPrice, usage: CatalogUsage): number | null {
  const { input_mtok: input, output_mtok: output = 0, requests_kcount: aRequest } = price;
  const { cache_read_mtok: read = input, cache_write_mtok: write = input } = price;
  const { cache_write_1h_mtok: hourWrite = typeof input === 'number' ? HOUR_WRITE_FACTOR * input : undefined } = price;
  if (typeof input !== 'number' || typeof output !== 'number' || aRequest !== undefined) return null;
  if (typeof read !== 'number' || typeof write !== 'number' || typeof hourWrite !== 'number') return null;
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const hourTokens = Math.min(usage.cacheWriteHourTokens ?? 0, cacheWriteTokens);
  const uncached = inputTokens - cacheReadTokens - cacheWriteTokens;
  const written = (cacheWriteTokens - hourTokens) * write + hourTokens * hourWrite;
  return (uncached * input + cacheReadTokens * read + written + outputTokens * output) / 1e6;
}

/** Price factor on input tokens for writing to the cache with a lifetime of one hour, if the list has no price for it. */
const HOUR_WRITE_FACTOR = 2;

const ONLY = 'the-model';

/** Tiers and charges per request. Passing the model directly avoids a search. */
function libraryCost(library: Library, source: PricedModel['source'], usage: CatalogUsage, at: Date): number | null {
  const model = { ...source.model, match: { equals: ONLY } };
  const provider = { id: source.provider.id, name: source.provider.name, api_pattern: '', models: [model] };
  try {
    const price = library.calcPrice(toLibraryUsage(usage), ONLY, { provider, timestamp: at });
    return price?.total_price ?? null;
  } catch {
    return null;
  }
}

function toLibraryUsage(usage: CatalogUsage): Record<string, number> {
  const counts: Record<string, number> = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
  if (usage.cacheReadTokens) counts.cache_read_tokens = usage.cacheReadTokens;
  if (usage.cacheWriteTokens) counts.cache_write_tokens = usage.cacheWriteTokens;
  if (usage.cacheWriteHourTokens && usage.cacheWriteTokens)
    counts.cache_write_1h_tokens = Math.min(usage.cacheWriteHourTokens, usage.cacheWriteTokens);
  return counts;
}

function listAll(library: Library): PricedModel[] {
  return PRICE_PROVIDERS.flatMap((providerId) => {
    const provider = library.findProvider({ providerId });
    return (provider?.models ?? []).map((model) =>
      toPriced(model, provider as Calculation['provider'], priceAt(model, PRICED_AT)),
    );
  });
}

/** The last of several prices that had started; conditions by hour of day are left to the library. */
function priceAt(model: Calculation['model'], at: Date): ModelPrice {
  if (!Array.isArray(model.prices)) return model.prices;
  const startedPrices = model.prices.filter(({ constraint }) => {
    if (constraint === undefined) return true;
    return constraint.type === 'start_date' && new Date(constraint.start_date) <= at;
  });
  return (startedPrices.at(-1) ?? model.prices[0])?.prices ?? {};
}
