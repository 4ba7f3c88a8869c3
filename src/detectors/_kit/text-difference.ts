import { cut, oneLine } from './text.ts';

/** Characters that both texts share, shown before the difference. */
const LEAD_CHARACTERS = 24;

/**
 * Two texts in one line each, cut around the first place where they differ; null if they differ in blanks only. The pieces
 * are never equal.
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

/** The first beginning of a word at or after `from`, no later than `latest`. */
function wordStart(text: string, from: number, latest: number): number {
  for (let at = Math.max(1, from); at < latest; at += 1) if (text[at - 1] === ' ') return at;
  return Math.max(0, from);
}
