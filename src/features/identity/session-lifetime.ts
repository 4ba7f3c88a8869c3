const HOUR_MS = 3_600_000;

/** Idle timeout of a session. */
export const IDLE_MS = 12 * HOUR_MS;
/** Maximum lifetime of a session. */
export const MAX_MS = 7 * 24 * HOUR_MS;
/** Lifetime of a one-time link. */
export const LINK_LIFETIME_MS = 600_000;

/** Unix milliseconds: when a session expires if it is not used again. */
export function sessionExpiryOf({ createdAt, seenAt }: { createdAt: number; seenAt: number }): number {
  return Math.min(createdAt + MAX_MS, seenAt + IDLE_MS);
}
