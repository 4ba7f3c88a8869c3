import { isJsonObject, type Json } from '../../core/json.ts';
import type { ToolUse } from '../_kit/calls.ts';
import { wordOverlap, words } from '../_kit/text.ts';

/** Searches of one tool that ask for the same thing in other words. */
export interface Rephrasing {
  /** Positions in the list of tool uses: the first wording and those that resemble an earlier one. */
  at: number[];
  /** Sum of how alike (0–1) each is to the most similar of the wordings before it. */
  likeness: number;
}

/** Fewer words are names and ids: looking up one after the other is an enumeration, not a rephrasing. */
const FEWEST_WORDS = 3;

/** A notepad for the agent's own thoughts searches nothing. */
const NOTES = /think|thought|reflect|scratch|^(?:plan|note)/i;

/** Rephrased lookups per tool; each is compared with the `window` lookups of the same tool before it. */
export function findRephrasings(uses: readonly ToolUse[], window: number): Rephrasing[] {
  const byTool = new Map<string, { at: number; said: ReadonlySet<string> }[]>();
  for (const [at, use] of uses.entries()) {
    if (use.changesState || use.command !== null || NOTES.test(use.name)) continue;
    const said = new Set(wordsOf(use.arguments));
    if (said.size < FEWEST_WORDS) continue;
    const name = `${use.agent ?? ''} ${use.name}`;
    const asked = byTool.get(name);
    if (asked === undefined) byTool.set(name, [{ at, said }]);
    else asked.push({ at, said });
  }
  return [...byTool.values()].flatMap((asked) => {
    const alike = asked.map(({ said }, n) => mostAlike(said, asked.slice(Math.max(0, n - window), n)));
    const rephrased = asked.filter((_, n) => alike[n]! > 0);
    if (rephrased.length === 0) return [];
    return [
      { at: [asked[0]!.at, ...rephrased.map(({ at }) => at)], likeness: alike.reduce((sum, each) => sum + each, 0) },
    ];
  });
}

/** Highest overlap with an earlier wording; 0 for a repeated one (that is another finding) and for a new subject. */
function mostAlike(said: ReadonlySet<string>, earlier: readonly { said: ReadonlySet<string> }[]): number {
  const overlaps = earlier.map((other) => wordOverlap(said, other.said));
  const highest = Math.max(0, ...overlaps);
  return highest === 1 || highest < NEW_SUBJECT ? 0 : highest;
}

/** Two questions on one page of a task share this much by chance. */
const NEW_SUBJECT = 0.35;

/** Words of the argument values; numbers and names of arguments do not make two searches alike. */
function wordsOf(value: Json): string[] {
  if (typeof value === 'string') return words(value).filter((word) => /\p{L}/u.test(word));
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  return isJsonObject(value) ? Object.values(value).flatMap(wordsOf) : [];
}
