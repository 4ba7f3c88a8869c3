import { cut } from './plain-text.ts';

/** Maximum characters of a text, by its importance. */
export const LIMITS = {
  name: 80,
  line: 200,
  excerpt: 500,
  paragraph: 1_500,
  change: 2_000,
  wholeChange: 6_000,
  chunk: 6_000,
} as const;

const MAX_NAMES = 5;

export function name(text: string): string {
  return cut(text, LIMITS.name);
}

export function optional(text: string | null | undefined, limit: number): string | null {
  return text === null || text === undefined || text === '' ? null : cut(text, limit);
}

/** A few names and the number of the others. */
export function names(all: readonly string[]): string[] {
  const shown = all.slice(0, MAX_NAMES).map(name);
  return all.length > MAX_NAMES ? [...shown, `and ${all.length - MAX_NAMES} more`] : shown;
}
