import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';

/** A total above this is expensive to count and may be stale. */
const LARGE = 10_000;
const TTL_MS = 5_000;
const MAX_ENTRIES = 1_000;

/** Caches large totals for five seconds; small ones are counted each time. */
export interface CountCache {
  /** @param key tenant and filter, as a text */
  countOnce(key: string, count: () => Promise<number>): Promise<number>;
}

export function createCountCache(clock: Clock): CountCache {
  const cache = new Map<string, { total: number; cachedAt: number }>();
  return {
    async countOnce(key, count) {
      const cached = cache.get(key);
      if (cached && isWithin(cached.cachedAt, clock.now(), TTL_MS)) return cached.total;
      cache.delete(key);
      const total = await count();
      if (total > LARGE) cache.set(key, { total, cachedAt: clock.now() });
      if (cache.size > MAX_ENTRIES) cache.delete(cache.keys().next().value as string);
      return total;
    },
  };
}
