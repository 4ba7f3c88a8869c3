import type { CatalogUsage, ModelCatalog, ModelInfo } from '../../core/model-catalog.ts';
import { contextWindowOf } from './context-windows.ts';
import { modelNameVariants, type NameVariant } from './name-variants.ts';
import { nearestNames } from './nearest-names.ts';
import { loadPriceList, type PricedModel, type PriceList } from './price-list.ts';

/** The catalog with additional lookups for people who search for a model. */
export interface OfflineModelCatalog extends ModelCatalog {
  /** Up to five known model ids with the most similar spelling. */
  nearestModels(name: string): string[];
  /** Every model of every provider, in the price list's order. */
  listModels(): ModelInfo[];
}

/** Number of cached names after which the lookup cache is cleared. */
const REMEMBERED_NAMES = 5_000;

/** Providers that run models on the user's own machine, for which the price of a hosted model would be wrong. */
const LOCAL_PROVIDERS = new Set(['ollama', 'lmstudio', 'lm_studio', 'vllm', 'llamacpp', 'llama.cpp', 'localai']);

/** Gateways mark a model's free tier in its name: `deepseek-v4-flash-free`, `qwen/qwen3-coder:free`. */
const FREE_TIER = /[-:]free$/i;

/** Models, context windows and prices that ship with the program. Loaded on the first lookup; never uses the network. */
export function createModelCatalog(load: () => PriceList = loadPriceList): OfflineModelCatalog {
  let prices: PriceList | null = null;
  const found = new Map<string, PricedModel | null>();

  function priceList(): PriceList {
    prices ??= load();
    return prices;
  }

  function lookUp(model: string, provider: string | null | undefined): PricedModel | null {
    const key = `${provider ?? ''}\n${model}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    if (found.size >= REMEMBERED_NAMES) found.clear();
    const priced = firstPriced(priceList(), modelNameVariants(model, provider ?? null));
    found.set(key, priced);
    return priced;
  }

  return {
    find(model, provider) {
      const priced = lookUp(model, provider);
      return priced === null ? null : toInfo(priced);
    },
    costUsd(model, provider, usage, atMs) {
      if (provider !== null && LOCAL_PROVIDERS.has(provider.toLowerCase())) return null;
      if (FREE_TIER.test(model)) return 0;
      const priced = lookUp(model, provider);
      return priced === null ? null : priceList().costUsd(priced, withinInput(usage), atMs ?? null);
    },
    nearestModels: (name) =>
      nearestNames(name, [
        ...new Set(
          priceList()
            .models()
            .map((model) => model.id),
        ),
      ]),
    listModels: () => priceList().models().map(toInfo),
  };
}

/** A catalog without models, for readers that need neither prices nor context windows. */
export const EMPTY_CATALOG: ModelCatalog = { find: () => null, costUsd: () => null };

function firstPriced(prices: PriceList, spellings: NameVariant[]): PricedModel | null {
  for (const { model, provider } of spellings) {
    const priced = prices.find(model, provider);
    if (priced !== null) return priced;
  }
  return null;
}

function toInfo(model: PricedModel): ModelInfo {
  return {
    id: model.id,
    provider: model.provider,
    contextWindow: model.contextWindow ?? contextWindowOf(model.id),
    inputPerMillionUsd: model.inputPerMillionUsd,
    outputPerMillionUsd: model.outputPerMillionUsd,
  };
}

/** Cached tokens are part of the input. A sender that excludes them must not make the price calculation fail. */
function withinInput(usage: CatalogUsage): CatalogUsage {
  const cached = (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
  return cached <= usage.inputTokens ? usage : { ...usage, inputTokens: usage.inputTokens + cached };
}
