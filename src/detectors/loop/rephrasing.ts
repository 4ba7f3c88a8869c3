import { wordOverlap } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { countBefore, type Turns } from '../_readings/repeats/repetition.ts';
import { type Request, requestOf } from './request-words.ts';

/** Searches with one tool for the same thing in other words. */
export interface Rephrasing {
  /** Positions in the list of tool uses: the first wording and similar ones. */
  at: number[];
  /** Sum over all wordings of the similarity (0–1) to the most similar earlier wording. */
  similarity: number;
  /** Positions whose result was empty or not new. */
  withoutNewResults: number[];
}

/** Fewer words are names and ids: looking them up one by one is an enumeration, not a rephrasing. */
const MIN_WORDS = 3;

/** A notepad for the agent's own thoughts is not a search. */
const NOTE_TOOL = /think|thought|reflect|scratch|^(?:plan|note)/i;

interface Search {
  at: number;
  request: Request;
  use: ToolUse;
  /** Model answer that requested the call. Its calls are parallel: none of them had the result of another. */
  modelTurn: number;
}

/**
 * Rephrased reads: each is similar to the first wording of its group and to one of the previous `window` reads. A failed
 * call has no result to use.
 */
export function findRephrasings(uses: readonly ToolUse[], window: number, turns: Turns): Rephrasing[] {
  const byTool = new Map<string, Search[]>();
  const modelTurns = countBefore(uses, turns.model);
  const userTurns = countBefore(uses, turns.user);
  for (const [at, use] of uses.entries()) {
    if (use.changesState || use.command !== null || use.isError || NOTE_TOOL.test(use.name)) continue;
    const request = requestOf(use);
    if (request.words.size < MIN_WORDS) continue;
    const name = `${use.actor} ${use.name} ${userTurns[at]} ${request.source}`;
    const search = { at, request, use, modelTurn: turns.model.length === 0 ? at : modelTurns[at]! };
    const known = byTool.get(name);
    if (known === undefined) byTool.set(name, [search]);
    else known.push(search);
  }
  return [...byTool.values()].flatMap((search) => groupsOf(search, window));
}

interface Group {
  members: Search[];
  similarity: number;
}

function groupsOf(search: readonly Search[], window: number): Rephrasing[] {
  const groups: Group[] = [];
  for (const [n, each] of search.entries()) {
    const recent = new Set(search.slice(Math.max(0, n - window), n));
    const group = groups.find(
      ({ members }) => isSameQuestion(members[0]!, each) && members.some((one) => recent.has(one)),
    );
    if (group === undefined) {
      groups.push({ members: [each], similarity: 0 });
      continue;
    }
    const similarity = maxSimilarity(each, group.members);
    if (similarity === 0) continue;
    group.members.push(each);
    group.similarity += similarity;
  }
  return groups
    .filter(({ members }) => members.length > 1)
    .map(({ members, similarity }) => ({
      at: members.map(({ at }) => at),
      similarity,
      withoutNewResults: withoutNewResults(members),
    }));
}

function isSameQuestion(first: Search, other: Search): boolean {
  return wordOverlap(first.request.words, other.request.words) >= MIN_SUBJECT_OVERLAP;
}

/** Highest overlap with an earlier wording; 0 for an equal one (another detection) and for a new subject. */
function maxSimilarity(search: Search, earlier: readonly Search[]): number {
  const comparable = earlier.filter((other) => other.modelTurn !== search.modelTurn && isComparable(search, other));
  const overlaps = comparable.map(({ request }) => wordOverlap(search.request.words, request.words));
  const highest = Math.max(0, ...overlaps);
  return highest === 1 || highest < MIN_SUBJECT_OVERLAP ? 0 : highest;
}

/**
 * Whether two requests are comparable. A pattern is exact, and a different word at one position of a sentence is a
 * different question: it is the same search only if it returned the same result.
 */
function isComparable(one: Search, other: Search): boolean {
  const needsSameResult = one.request.isPattern || hasOtherSlot(one.request.sequence, other.request.sequence);
  return !needsSameResult || (one.use.hasResult && one.use.resultHash === other.use.resultHash);
}

/**
 * Whether a template was filled in twice: the same words in the same order except at one position, which has nothing in
 * common.
 */
function hasOtherSlot(one: readonly string[], other: readonly string[]): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [slot, otherSlot] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (slot.length === 0 || otherSlot.length === 0 || start + end === 0) return false;
  return !slot.some((word) => otherSlot.includes(word));
}

function withoutNewResults(members: readonly Search[]): number[] {
  const seen = new Set<string>();
  return members
    .filter(({ use }) => {
      const isOld = !use.hasResult || seen.has(use.resultHash);
      seen.add(use.resultHash);
      return isOld;
    })
    .map(({ at }) => at);
}

/** Overlap that two questions on one page of a task have by chance. */
const MIN_SUBJECT_OVERLAP = 0.35;
