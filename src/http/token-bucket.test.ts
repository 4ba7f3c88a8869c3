import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-bucket.ts';

describe('TokenBuckets', () => {
  it('allows a window at once, then one request per refill', () => {
    const buckets = new TokenBuckets({ requests: 10, windowSeconds: 60 });
    const first = Array.from({ length: 10 }, () => buckets.take('a', 0).isAllowed);
    expect(first.every(Boolean)).toBe(true);
    expect(buckets.take('a', 0)).toEqual({ isAllowed: false, remaining: 0, retryAfterSeconds: 6, resetSeconds: 60 });
    expect(buckets.take('a', 5_900).isAllowed).toBe(false);
    expect(buckets.take('a', 6_000).isAllowed).toBe(true);
    expect(buckets.take('a', 6_000).isAllowed).toBe(false);
    expect(buckets.take('a', 66_000)).toMatchObject({ isAllowed: true, remaining: 9 });
  });

  it('never holds more than one window after a pause', () => {
    const buckets = new TokenBuckets({ requests: 3, windowSeconds: 60 });
    buckets.take('a', 0);
    const later = Array.from({ length: 4 }, () => buckets.take('a', 3_600_000));
    expect(later.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
  });

  it('returns the remaining requests and the times until one is allowed and until the bucket is full', () => {
    const buckets = new TokenBuckets({ requests: 10, windowSeconds: 60 });
    const results = Array.from({ length: 11 }, () => buckets.take('a', 0));
    expect(results[0]).toEqual({ isAllowed: true, remaining: 9, retryAfterSeconds: 0, resetSeconds: 6 });
    expect(results[8]).toEqual({ isAllowed: true, remaining: 1, retryAfterSeconds: 0, resetSeconds: 54 });
    expect(results[9]).toEqual({ isAllowed: true, remaining: 0, retryAfterSeconds: 6, resetSeconds: 60 });
    expect(buckets.take('a', 3_000)).toEqual({
      isAllowed: false,
      remaining: 0,
      retryAfterSeconds: 3,
      resetSeconds: 57,
    });
  });

  it('drops the least recently used peer, not the oldest', () => {
    const buckets = new TokenBuckets({ requests: 2, windowSeconds: 60 }, 2);
    for (const peer of ['a', 'b', 'a', 'c']) buckets.take(peer, 0);
    expect(['a', 'b'].map((peer) => buckets.take(peer, 0).remaining)).toEqual([0, 1]);
  });

  it('returns a retry time of one second for the global limit', () => {
    const buckets = new TokenBuckets({ requests: 1000, windowSeconds: 60 });
    for (let count = 0; count < 1000; count += 1) buckets.take('a', 0);
    expect(buckets.take('a', 0).retryAfterSeconds).toBe(1);
  });

  it('counts per peer, and tolerates a clock that is set back', () => {
    const buckets = new TokenBuckets({ requests: 1, windowSeconds: 60 });
    expect([buckets.take('a', 5_000), buckets.take('b', 5_000), buckets.take('a', 0)].map((t) => t.isAllowed)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is bounded by dropping the least recently used peer', () => {
    const buckets = new TokenBuckets({ requests: 2, windowSeconds: 60 }, 100);
    for (let peer = 0; peer < 10_000; peer += 1) {
      buckets.take(`p${peer}`, 0);
      buckets.take('busy', 0);
    }
    expect(buckets.size).toBe(100);
    expect(buckets.take('busy', 0).isAllowed).toBe(false);
  });
});
