/** Time as an argument: the system clock in production, virtual in tests. Unix milliseconds. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with milliseconds, the only date format that leaves the program. */
export function toRfc3339(ms: number): string {
  return new Date(ms).toISOString();
}
