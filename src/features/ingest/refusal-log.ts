import type { Clock } from '../../core/clock.ts';

/** A request that was rejected, completely or in part. */
export interface RecordedRefusal {
  /** Null: its credential was missing or invalid. */
  tenantId: string | null;
  /** Path of the request, without its query. */
  path: string;
  status: number;
  /** The reason in the response. */
  detail: string;
  /** `User-Agent` of the sender; null if it sent none. */
  sender: string | null;
}

export interface RecentRefusal extends RecordedRefusal {
  /** Number of equal refusals. */
  count: number;
  /** Of the last one, in milliseconds. */
  lastAt: number;
}

const MAX_OF_TENANT = 20;
const MAX_TENANTS = 1_000;
const MAX_LENGTH = 500;

/**
 * Recent refusals, so that a person who connects a program sees why nothing arrives. In memory: the last 20 different
 * refusals of each tenant, and of requests without a valid credential.
 */
export class RefusalLog {
  readonly #clock: Clock;
  readonly #byTenant = new Map<string | null, Map<string, RecentRefusal>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  record(refusal: RecordedRefusal): void {
    const short = { ...refusal, detail: shortened(refusal.detail), path: shortened(refusal.path) };
    const sender = refusal.sender === null ? null : shortened(refusal.sender);
    const key = JSON.stringify([short.path, short.status, short.detail, sender]);
    const known = this.#ofTenant(refusal.tenantId);
    const count = (known.get(key)?.count ?? 0) + 1;
    known.delete(key);
    known.set(key, { ...short, sender, count, lastAt: this.#clock.now() });
    dropOldest(known, MAX_OF_TENANT);
  }

  /** Newest first. @param tenantId null: requests without a valid credential */
  recent(tenantId: string | null): RecentRefusal[] {
    return [...(this.#byTenant.get(tenantId)?.values() ?? [])].reverse();
  }

  #ofTenant(tenantId: string | null): Map<string, RecentRefusal> {
    const known = this.#byTenant.get(tenantId) ?? new Map<string, RecentRefusal>();
    this.#byTenant.delete(tenantId);
    this.#byTenant.set(tenantId, known);
    dropOldest(this.#byTenant, MAX_TENANTS);
    return known;
  }
}

function dropOldest<Key>(map: Map<Key, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}

function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
