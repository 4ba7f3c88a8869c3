/** Milliseconds between two times, rounded to microseconds, the precision of times; null if either is unknown. */
export function durationMs({ startMs, endMs }: { startMs: number | null; endMs: number | null }): number | null {
  return startMs === null || endMs === null ? null : roundMs(endMs - startMs);
}

export function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
