import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';

/** A total above this is expensive to count and may be stale. */
const LARGE = 10_000;
const HOLD_MS = 5_000;
const MAX_ENTRIES = 1_000;

/** Caches large totals for five seconds; small ones are counted each time. */
export interface CountCache {
  /** @param key tenant and filter, as a text */
  countOnce(key: string, count: () => Promise<number>): Promise<number>;
}

export function createCountCache(clock: Clock): CountCache {
  const known = new Map<string, { total: number; heldAt: number }>();
  return {
    async countOnce(key, count) {
      const held = known.get(key);
      if (held && isWithin(held.heldAt, clock.now(), HOLD_MS)) return held.total;
      known.delete(key);
      const total = await count();
      if (total > LARGE) known.set(key, { total, heldAt: clock.now() });
      if (known.size > MAX_ENTRIES) known.delete(known.keys().next().value as string);
      return total;
    },
  };
}
