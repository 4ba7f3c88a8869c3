const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** A past time relative to `now`: `3 d ago`, `5 h ago`, `12 min ago`, `just now`. */
export function relativeTime(time: string, now: number): string {
  const elapsedMs = now - Date.parse(time);
  for (const [unit, ms] of UNITS) if (elapsedMs >= ms) return `${Math.floor(elapsedMs / ms)} ${unit} ago`;
  return 'just now';
}
