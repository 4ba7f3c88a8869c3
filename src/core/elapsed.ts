/** Whether fewer than `ms` have passed since `since`. A time in the future means that the clock was set back: then false. */
export function isWithin(since: number, now: number, ms: number): boolean {
  return since <= now && now - since < ms;
}

/** Whether a pause until `until` is still active. A pause longer than any that is ever set predates a clock change: it is over. */
export function isPaused(until: number, now: number, longestMs: number): boolean {
  return now < until && until - now <= longestMs;
}
