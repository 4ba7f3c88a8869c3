import { cut, oneLine } from './text.ts';

/** Number of common characters to show before the difference. */
const LEAD_CHARACTERS = 24;

/**
 * Excerpts of two texts around their first difference, in one line each; null if they differ only in white space. The
 * excerpts are never equal.
 */
export function differingPieces(one: string, other: string, limit: number): [string, string] | null {
  const [a, b] = [oneLine(one), oneLine(other)];
  if (a === b) return null;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  if (at < limit - LEAD_CHARACTERS) return [cut(a, limit), cut(b, limit)];
  const start = wordStart(a, at - LEAD_CHARACTERS, at);
  return [`…${cut(a.slice(start), limit)}`, `…${cut(b.slice(start), limit)}`];
}

/** The first word start at or after `from`, at most `latest`. */
function wordStart(text: string, from: number, latest: number): number {
  for (let at = Math.max(1, from); at < latest; at += 1) if (text[at - 1] === ' ') return at;
  return Math.max(0, from);
}
