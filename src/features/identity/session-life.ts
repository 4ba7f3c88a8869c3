const HOUR_MS = 3_600_000;

/** A session without activity ends after this time. */
export const IDLE_MS = 12 * HOUR_MS;
/** Every session ends after this time. */
export const LONGEST_MS = 7 * 24 * HOUR_MS;
/** How long a one-time link can be used. */
export const LINK_LIFETIME_MS = 600_000;

/** Unix milliseconds: when a session ends if it is not used again. */
export function endOf({ createdAt, seenAt }: { createdAt: number; seenAt: number }): number {
  return Math.min(createdAt + LONGEST_MS, seenAt + IDLE_MS);
}
