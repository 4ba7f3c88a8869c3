import { describe, expect, it } from 'vitest';
import { createCountCache } from './count-cache.ts';

describe('count cache', () => {
  it.each([
    ['a small total is counted each time', 10_000, 0, 2],
    ['a large one is remembered', 10_001, 4_999, 1],
    ['for five seconds', 10_001, 5_000, 2],
  ])('%s', async (_title, total, laterMs, expected) => {
    let now = 0;
    let counted = 0;
    const cache = createCountCache({ now: () => now });
    const count = async () => {
      counted += 1;
      return total;
    };
    expect(await cache.countOnce('key', count)).toBe(total);
    now = laterMs;
    expect(await cache.countOnce('key', count)).toBe(total);
    expect(counted).toBe(expected);
  });

  it('keeps keys apart', async () => {
    const cache = createCountCache({ now: () => 0 });
    await cache.countOnce('one', async () => 20_000);
    expect(await cache.countOnce('other', async () => 30_000)).toBe(30_000);
  });
});
