const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** How long before `now` a time was: `3 d ago`, `5 h ago`, `12 min ago`, `just now`. */
export function ago(time: string, now: number): string {
  const passed = now - Date.parse(time);
  for (const [unit, ms] of UNITS) if (passed >= ms) return `${Math.floor(passed / ms)} ${unit} ago`;
  return 'just now';
}
