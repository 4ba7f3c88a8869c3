import type { ToolUse } from '../_kit/calls.ts';
import { wordOverlap } from '../_kit/text.ts';
import { countBefore, type Turns } from './repetition.ts';
import { type Request, requestOf } from './request-words.ts';

/** Searches of one tool that ask for the same thing in other words. */
export interface Rephrasing {
  /** Positions in the list of tool uses: the first wording and those that resemble it. */
  at: number[];
  /** Sum of how alike (0–1) each is to the most similar of the wordings before it. */
  similarity: number;
  /** Positions whose result was empty or had come before. */
  withoutNews: number[];
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

/**
 * Rephrased lookups: each resembles the first wording of its group and one of the `window` lookups before it. A failed
 * call has nothing to be used.
 */
export function findRephrasings(uses: readonly ToolUse[], window: number, turns: Turns): Rephrasing[] {
  const byTool = new Map<string, Asked[]>();
  const breaths = countBefore(uses, turns.model);
  const userTurns = countBefore(uses, turns.user);
  for (const [at, use] of uses.entries()) {
    if (use.changesState || use.command !== null || use.isError || NOTES.test(use.name)) continue;
    const request = requestOf(use);
    if (request.words.size < FEWEST_WORDS) continue;
    const name = `${use.actor} ${use.name} ${userTurns[at]} ${request.source}`;
    const asked = { at, request, use, breath: turns.model.length === 0 ? at : breaths[at]! };
    const known = byTool.get(name);
    if (known === undefined) byTool.set(name, [asked]);
    else known.push(asked);
  }
  return [...byTool.values()].flatMap((asked) => groupsOf(asked, window));
}

interface Group {
  members: Asked[];
  similarity: number;
}

function groupsOf(asked: readonly Asked[], window: number): Rephrasing[] {
  const groups: Group[] = [];
  for (const [n, each] of asked.entries()) {
    const recent = new Set(asked.slice(Math.max(0, n - window), n));
    const group = groups.find(
      ({ members }) => isOneQuestion(members[0]!, each) && members.some((one) => recent.has(one)),
    );
    if (group === undefined) {
      groups.push({ members: [each], similarity: 0 });
      continue;
    }
    const similarity = mostAlike(each, group.members);
    if (similarity === 0) continue;
    group.members.push(each);
    group.similarity += similarity;
  }
  return groups
    .filter(({ members }) => members.length > 1)
    .map(({ members, similarity }) => ({
      at: members.map(({ at }) => at),
      similarity,
      withoutNews: withoutNews(members),
    }));
}

function isOneQuestion(first: Asked, other: Asked): boolean {
  return wordOverlap(first.request.words, other.request.words) >= NEW_SUBJECT;
}

/** Highest overlap with an earlier wording; 0 for a repeated one (that is another detection) and for a new subject. */
function mostAlike(asked: Asked, earlier: readonly Asked[]): number {
  const comparable = earlier.filter((other) => other.breath !== asked.breath && isComparable(asked, other));
  const overlaps = comparable.map(({ request }) => wordOverlap(asked.request.words, request.words));
  const highest = Math.max(0, ...overlaps);
  return highest === 1 || highest < NEW_SUBJECT ? 0 : highest;
}

/** A pattern is exact, and another word in one place of a sentence asks something else: the same search only if it found the same. */
function isComparable(one: Asked, other: Asked): boolean {
  const needsSameResult = one.request.isPattern || hasOtherSlot(one.request.sequence, other.request.sequence);
  return !needsSameResult || (one.use.hasResult && one.use.resultHash === other.use.resultHash);
}

/** One form filled in twice: the same words in the same order but for one place, which holds nothing in common. */
function hasOtherSlot(one: readonly string[], other: readonly string[]): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [slot, otherSlot] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (slot.length === 0 || otherSlot.length === 0 || start + end === 0) return false;
  return !slot.some((word) => otherSlot.includes(word));
}

function withoutNews(members: readonly Asked[]): number[] {
  const seen = new Set<string>();
  return members
    .filter(({ use }) => {
      const isOld = !use.hasResult || seen.has(use.resultHash);
      seen.add(use.resultHash);
      return isOld;
    })
    .map(({ at }) => at);
}

/** Two questions on one page of a task share this much by chance. */
const NEW_SUBJECT = 0.35;
