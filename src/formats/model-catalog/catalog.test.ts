import { calcPrice, waitForUpdate } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { createModelCatalog } from './catalog.ts';
import { contextWindowOf } from './context-windows.ts';
import { PRICE_PROVIDERS, PRICED_AT } from './price-list.ts';

const catalog = createModelCatalog();

describe('find', () => {
  test.each<[string, string | null, string, string]>([
    ['gpt-4o', null, 'openai', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'openai', 'openai', 'gpt-4o'],
    ['openai/gpt-4o', null, 'openai', 'gpt-4o'],
    ['azure/gpt-4o', null, 'azure', 'gpt-4o'],
    ['gpt-5.1', 'a private gateway', 'openai', 'gpt-5.1'],
    ['claude-sonnet-4-5-20250929', 'anthropic', 'anthropic', 'claude-sonnet-4-5'],
    ['claude-3-5-sonnet@20241022', null, 'anthropic', 'claude-3-5-sonnet'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', null, 'anthropic', 'claude-sonnet-4-0'],
    ['bedrock/anthropic.claude-3-haiku-20240307-v1:0', null, 'aws', 'regional.anthropic.claude-3-haiku-20240307-v1:0'],
    ['models/gemini-2.0-flash', 'gcp.vertex_ai', 'google', 'gemini-2.0-flash'],
    ['meta-llama/Llama-3.3-70B-Instruct', null, 'openrouter', 'meta-llama/llama-3.3-70b-instruct'],
    ['ft:gpt-4o-mini-2024-07-18:acme::x1', null, 'openai', 'ft:gpt-4o-mini'],
  ])('%s at %s', (model, provider, expectedProvider, id) => {
    expect(catalog.find(model, provider)).toMatchObject({ provider: expectedProvider, id });
  });

  test.each(['', ' ', 'no-such-model-9', '///', 'constructor', '__proto__', 'a'.repeat(10_000)])(
    'nothing for %j',
    (model) => {
      expect(catalog.find(model)).toBeNull();
      expect(catalog.costUsd(model, null, { inputTokens: 1, outputTokens: 1 })).toBeNull();
    },
  );

  test('context windows come from the price list, else from the table', () => {
    expect(catalog.find('gpt-4o')?.contextWindow).toBe(128_000);
    expect(catalog.find('gemini-2.5-pro')?.contextWindow).toBe(contextWindowOf('gemini-2.5-pro'));
    expect(contextWindowOf('toString')).toBeNull();
  });
});

describe('costUsd', () => {
  test.each([
    ['cached tokens at their own price', { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 200 }, 0.00325],
    ['cached tokens outside the input', { inputTokens: 0, outputTokens: 0, cacheReadTokens: 1000 }, 0.00125],
    ['nothing used', { inputTokens: 0, outputTokens: 0 }, 0],
  ])('%s', (_, usage, cost) => {
    expect(catalog.costUsd('gpt-4o', 'openai', usage)).toBeCloseTo(cost, 12);
  });

  test.each<[string, string, string, object, number]>([
    ['fresh', 'anthropic', 'claude-opus-4-5-20251101', {}, 5],
    ['read from the cache', 'anthropic', 'claude-opus-4-5-20251101', { cacheReadTokens: 1e6 }, 0.5],
    ['written for five minutes', 'anthropic', 'claude-opus-4-5-20251101', { cacheWriteTokens: 1e6 }, 6.25],
    [
      'written for one hour',
      'anthropic',
      'claude-opus-4-5-20251101',
      { cacheWriteTokens: 1e6, cacheWriteHourTokens: 1e6 },
      10,
    ],
    [
      'half of it for one hour',
      'anthropic',
      'claude-haiku-4-5',
      { cacheWriteTokens: 1e6, cacheWriteHourTokens: 5e5 },
      1.625,
    ],
    [
      'more for one hour than written',
      'anthropic',
      'claude-haiku-4-5',
      { cacheWriteTokens: 1e6, cacheWriteHourTokens: 9e6 },
      2,
    ],
    [
      'for one hour without a separate price',
      'aws',
      'anthropic.claude-opus-4-5-20251101-v1:0',
      { cacheWriteTokens: 1e6, cacheWriteHourTokens: 1e6 },
      11,
    ],
    [
      'for one hour, at a price with tiers',
      'anthropic',
      'claude-sonnet-4-5',
      { cacheWriteTokens: 1e6, cacheWriteHourTokens: 1e6 },
      12,
    ],
    ['fresh', 'openai', 'gpt-5.1', {}, 1.25],
    ['read from the cache', 'openai', 'gpt-5.1', { cacheReadTokens: 1e6 }, 0.125],
  ])('a million tokens %s at %s, %s', (_, provider, model, cached, cost) => {
    expect(catalog.costUsd(model, provider, { inputTokens: 1e6, outputTokens: 0, ...cached })).toBeCloseTo(cost, 9);
  });

  test('a price with tiers', () => {
    const cost = (inputTokens: number) =>
      catalog.costUsd('claude-sonnet-4-5', 'anthropic', { inputTokens, outputTokens: 0 }) as number;
    expect(cost(300_000) / cost(100_000)).toBeCloseTo(6, 6);
  });

  test.each(['deepseek-v4-flash-free', 'deepseek/deepseek-chat:free'])('the free tier %s costs nothing', (model) => {
    expect(catalog.costUsd(model, 'opencode', { inputTokens: 1e6, outputTokens: 1e6 })).toBe(0);
    expect(catalog.costUsd('deepseek-chat', 'deepseek', { inputTokens: 1e6, outputTokens: 1e6 })).toBeGreaterThan(0);
  });

  test('a local model has no hosted price', () => {
    expect(catalog.costUsd('gpt-oss-120b', 'ollama', { inputTokens: 1000, outputTokens: 100 })).toBeNull();
  });

  test.each([
    ['on the date of the list', PRICED_AT, null],
    ['before prices changed', new Date('2026-02-01T12:00:00Z'), Date.UTC(2026, 1, 1, 12)],
    ['at night', new Date('2026-08-01T18:30:00Z'), Date.UTC(2026, 7, 1, 18, 30)],
    ['with a wrong clock', PRICED_AT, 1_000],
  ])('every model has the cost that the library computes, %s', (_, timestamp, atMs) => {
    const usage = { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 200, cacheWriteTokens: 50 };
    const usageOfLibrary = { input_tokens: 1000, output_tokens: 100, cache_read_tokens: 200, cache_write_tokens: 50 };
    let compared = 0;
    for (const { id, provider } of catalog.listModels()) {
      const found = priceOf(usageOfLibrary, id, provider, timestamp);
      if (found === null || catalog.find(id, provider)?.id !== found.model.id) continue;
      expect(catalog.costUsd(id, provider, usage, atMs), `${provider} ${id}`).toBeCloseTo(found.total_price, 9);
      compared++;
    }
    expect(compared).toBeGreaterThan(1000);
  });

  test('a call has the price of its day', () => {
    const cost = (atMs: number) =>
      catalog.costUsd('gpt-5.6-sol', 'openai', { inputTokens: 1e5, outputTokens: 0 }, atMs) as number;
    expect(cost(Date.UTC(2026, 7, 20, 23)) / cost(Date.UTC(2026, 7, 21, 1))).toBeCloseTo(5 / 4, 6);
  });
});

function priceOf(
  usage: Record<string, number>,
  model: string,
  providerId: string,
  timestamp: Date,
): ReturnType<typeof calcPrice> {
  try {
    const price = calcPrice(usage, model, { providerId, timestamp });
    const isTokenPriced = price?.model_price.input_mtok !== undefined || price?.model_price.output_mtok !== undefined;
    return isTokenPriced ? price : null;
  } catch {
    return null;
  }
}

test('nearestModels finds similar names', () => {
  expect(catalog.nearestModels('gpt-4oo')[0]).toBe('gpt-4o');
  expect(catalog.nearestModels('')).toEqual([]);
});

test('the list of providers is complete', async () => {
  const known = (await waitForUpdate())?.map((provider) => provider.id);
  expect(PRICE_PROVIDERS).toEqual(known);
  expect(catalog.listModels().length).toBeGreaterThan(1000);
});

test('the price list is loaded at the first lookup', () => {
  let loads = 0;
  const lazy = createModelCatalog(() => {
    loads++;
    return { find: () => null, costUsd: () => null, models: () => [] };
  });
  expect(loads).toBe(0);
  lazy.find('a');
  lazy.find('b');
  expect(loads).toBe(1);
});
