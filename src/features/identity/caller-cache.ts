import { hash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { isWithin } from '../../core/elapsed.ts';
import type { Caller } from '../_kit/caller.ts';
import type { HasStoreChanged } from './store-changes.ts';

/** The caller of a credential, and the end of its validity. */
export interface KnownCaller {
  caller: Caller;
  /** Unix milliseconds; null if the credential itself never expires. */
  expiresAt: number | null;
}

/**
 * Caches callers by the SHA-256 of their credential, so that authentication needs no database read for a minute.
 * A commit by another process clears it: a key that the command line revokes is rejected at the next request.
 */
export interface CallerCache {
  find(credential: string): Caller | null;
  /** Looks up and caches, unless an entry was invalidated during the look-up. */
  remember(credential: string, lookUp: () => Promise<KnownCaller | null>): Promise<Caller | null>;
  forget(credential: string): void;
  forgetKey(keyId: string): void;
  forgetTenant(tenantId: string): void;
}

const TTL_MS = 60_000;
const MAX_CALLERS = 10_000;

export function createCallerCache(clock: Clock, hasStoreChanged: HasStoreChanged): CallerCache {
  const callers = new Map<string, KnownCaller & { cachedAt: number }>();
  let invalidations = 0;

  function invalidateWhere(matches: (caller: Caller) => boolean): void {
    invalidations += 1;
    for (const [digest, known] of callers) if (matches(known.caller)) callers.delete(digest);
  }

  return {
    find(credential) {
      if (hasStoreChanged()) invalidateWhere(() => true);
      const known = callers.get(digestOf(credential));
      const now = clock.now();
      if (!known || !isWithin(known.cachedAt, now, TTL_MS)) return null;
      return now < (known.expiresAt ?? Infinity) ? known.caller : null;
    },
    async remember(credential, lookUp) {
      const before = invalidations;
      const known = await lookUp();
      if (!known) return null;
      if (before === invalidations) {
        if (callers.size >= MAX_CALLERS) callers.delete(callers.keys().next().value as string);
        callers.set(digestOf(credential), { ...known, cachedAt: clock.now() });
      }
      return known.caller;
    },
    forget(credential) {
      invalidations += 1;
      callers.delete(digestOf(credential));
    },
    forgetKey: (keyId) => invalidateWhere((caller) => caller.keyId === keyId),
    forgetTenant: (tenantId) => invalidateWhere((caller) => caller.tenantId === tenantId),
  };
}

function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}
