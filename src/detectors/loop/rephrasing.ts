import type { ToolUse } from '../_kit/calls.ts';
import { wordOverlap } from '../_kit/text.ts';
import { countBefore, type Turns } from './repetition.ts';
import { type Request, requestOf } from './request-words.ts';

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

interface Asked {
  at: number;
  request: Request;
  use: ToolUse;
  /** Calls of one breath of the model are parallel: none of them had seen the result of another. */
  breath: number;
}

/** Rephrased lookups per tool; each is compared with the `window` lookups of the same tool before it. */
export function findRephrasings(uses: readonly ToolUse[], window: number, turns: Turns): Rephrasing[] {
  const byTool = new Map<string, Asked[]>();
  const breaths = countBefore(uses, turns.model);
  for (const [at, use] of uses.entries()) {
    if (use.changesState || use.command !== null || NOTES.test(use.name)) continue;
    const request = requestOf(use);
    if (request.words.size < FEWEST_WORDS) continue;
    const name = `${use.actor} ${use.name}`;
    const asked = { at, request, use, breath: turns.model.length === 0 ? at : breaths[at]! };
    const known = byTool.get(name);
    if (known === undefined) byTool.set(name, [asked]);
    else known.push(asked);
  }
  return [...byTool.values()].flatMap((asked) => {
    const alike = asked.map((each, n) => mostAlike(each, asked.slice(Math.max(0, n - window), n)));
    const rephrased = asked.filter((_, n) => alike[n]! > 0);
    if (rephrased.length === 0) return [];
    return [
      { at: [asked[0]!.at, ...rephrased.map(({ at }) => at)], likeness: alike.reduce((sum, each) => sum + each, 0) },
    ];
  });
}

/** Highest overlap with an earlier wording; 0 for a repeated one (that is another finding) and for a new subject. */
function mostAlike(asked: Asked, earlier: readonly Asked[]): number {
  const comparable = earlier.filter((other) => other.breath !== asked.breath && isComparable(asked, other));
  const overlaps = comparable.map(({ request }) => wordOverlap(asked.request.words, request.words));
  const highest = Math.max(0, ...overlaps);
  return highest === 1 || highest < NEW_SUBJECT ? 0 : highest;
}

/** Another page is another source. A pattern is exact: another one is the same search only if it found the same. */
function isComparable(one: Asked, other: Asked): boolean {
  if (one.request.source !== other.request.source) return false;
  return !one.request.isPattern || (one.use.hasResult && one.use.resultHash === other.use.resultHash);
}

/** Two questions on one page of a task share this much by chance. */
const NEW_SUBJECT = 0.35;
