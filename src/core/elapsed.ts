/** Whether fewer than `ms` have passed since `since`. A time in the future says that the clock stepped backwards: then no. */
export function isWithin(since: number, now: number, ms: number): boolean {
  return since <= now && now - since < ms;
}

/** Whether a pause until then goes on. One longer than any was set before the clock stepped backwards: it is over. */
export function isPaused(until: number, now: number, longestMs: number): boolean {
  return now < until && until - now <= longestMs;
}
