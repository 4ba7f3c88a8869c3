import type { RateLimit } from './http-config.ts';

export interface RateLimitResult {
  isAllowed: boolean;
  /** Whole requests left. */
  remaining: number;
  /** Seconds until one more request is allowed; 0 if one is allowed now. */
  retryAfterSeconds: number;
  /** Seconds until the bucket is full. */
  resetSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Above this many peers the least recently seen one is dropped, which only gives it a full bucket. */
const MAX_BUCKETS = 50_000;

/** One bucket per peer: a full bucket allows a window's requests at once, and it refills evenly over the window. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #limit: RateLimit;
  readonly #maxBuckets: number;

  constructor(limit: RateLimit, maxBuckets: number = MAX_BUCKETS) {
    this.#limit = limit;
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** @param now Unix milliseconds */
  take(peer: string, now: number): RateLimitResult {
    const { requests, windowSeconds } = this.#limit;
    const perSecond = requests / windowSeconds;
    const bucket = this.#bucketOf(peer, now);
    const refill = (Math.max(0, now - bucket.at) / 1000) * perSecond;
    bucket.tokens = Math.min(requests, bucket.tokens + refill);
    bucket.at = now;
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return {
      isAllowed,
      remaining: Math.floor(bucket.tokens),
      retryAfterSeconds: bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / perSecond),
      resetSeconds: Math.ceil((requests - bucket.tokens) / perSecond),
    };
  }

  /** Re-inserted at each use, so that the map is in order of last use. */
  #bucketOf(peer: string, now: number): Bucket {
    const bucket = this.#buckets.get(peer) ?? { tokens: this.#limit.requests, at: now };
    this.#buckets.delete(peer);
    this.#buckets.set(peer, bucket);
    if (this.#buckets.size > this.#maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return bucket;
  }
}
