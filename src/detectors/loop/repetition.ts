import type { ToolUse } from '../_kit/calls.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { answersOf } from './acknowledgement.ts';

/** A call made again and again with nothing gained in between. */
export interface Repetition {
  /** Positions in the list of tool uses, in order; at least two. */
  at: number[];
  /** True where no other call of the same agent stands between. */
  isConsecutive: boolean;
  /** True where the same call answered something else afterwards: waiting that paid off. */
  isResolved: boolean;
  /** True where the agent's next call was another tool's. */
  isLeft: boolean;
  /** How often other calls between two of these brought a result that had not come before. */
  gaps: number;
}

/** Step indices, rising. */
export interface Turns {
  /** The user said something new. */
  user: readonly number[];
  /** The user said something new, an agent handed in a new text, or the state changed in a new way. */
  news: readonly number[];
  /** A model answered. */
  model: readonly number[];
}

/** With fewer, one span may stand for all model calls of a run, and what it asked for in one breath is not known. */
const FEWEST_BREATHS = 3;

/**
 * Counts a call (tool, arguments, result) again only while nothing new was done since it was last made: a new call that may
 * have changed something, a new turn of the user, a new text or a new state starts the count afresh. Calls that a model asked
 * for in one answer count once: it had not seen the first result yet.
 */
export function findRepetitions(uses: readonly ToolUse[], turns: Turns): Repetition[] {
  const runs = new Map<string, number[]>();
  const finished: number[][] = [];
  const turnsBefore = countBefore(uses, turns.news);
  const breathOf = countBefore(uses, turns.model);
  const isInterleaved = new Set(breathOf).size >= FEWEST_BREATHS;
  const countsBreaths = (at: number) => breathOf[at]! > 0 && (isInterleaved || !uses[at]!.isError);
  const keys = callKeys(uses);
  const positions = positionsByQuestion(uses);
  if (positions.size === uses.length) return [];
  const effects = effectsOf(uses);
  let lastProgress = -1;
  for (const [at, key] of keys.entries()) {
    const run = runs.get(key);
    const before = run?.[run.length - 1];
    if (run === undefined || before === undefined) {
      runs.set(key, [at]);
      if (effects[at] === 'change') lastProgress = at;
    } else if (lastProgress > before || turnsBefore[at]! > turnsBefore[before]!) {
      finished.push(run);
      runs.set(key, [at]);
    } else if (!countsBreaths(at) || breathOf[at] !== breathOf[before]) run.push(at);
  }
  return [...finished, ...runs.values()]
    .filter((run) => run.length > 1)
    .map((at) => ({
      at,
      isConsecutive: isConsecutive(uses, at),
      isResolved: isResolved(uses, at, keys, positions),
      isLeft: isLeft(uses, at),
      gaps: gapsWithNews(effects, at),
    }));
}

/**
 * What a call that was not made before may have brought, by the form of its result. `change`: it was carried out, and the
 * result does not say what it did. `news`: the result describes something that had not come before. `nothing`: it failed, found
 * nothing, or got the result that the tool had given to other arguments.
 */
type Effect = 'change' | 'news' | 'nothing';

function effectsOf(uses: readonly ToolUse[]): Effect[] {
  const known = new Set<string>();
  const { isAcknowledged } = answersOf(uses);
  return uses.map((use) => {
    if (use.command !== null) return use.changesState ? 'change' : 'nothing';
    if (use.isError || /^(?:\[\s{0,4}\]|\{\s{0,4}\})$/.test(use.resultText)) return 'nothing';
    if (isAcknowledged(use)) return 'change';
    const result = `${use.actor}\n${use.name}\n${use.resultText}`;
    const isKnown = known.has(result);
    known.add(result);
    return isKnown ? 'nothing' : 'news';
  });
}

function gapsWithNews(effects: readonly Effect[], at: readonly number[]): number {
  return at.slice(1).filter((end, n) => effects.slice(at[n]! + 1, end).includes('news')).length;
}

/**
 * Identity of each call: agent, tool, arguments, result. Results are hashed only where a call comes twice. Made once, since
 * cycles and repetitions are looked for by the same keys.
 */
export const callKeys = memoizeByRef((uses: readonly ToolUse[]): readonly string[] => {
  const positions = positionsByQuestion(uses);
  return uses.map((use, at) => {
    const question = questionOf(use);
    if (!isComparable(use)) return `${question}\n#${at}`;
    return positions.get(question)!.length === 1 ? question : `${question}\n${use.resultHash}`;
  });
});

/** Names that stand for any tool, where the sender did not say which one was called. */
const UNNAMED = new Set(['', 'tool', 'tools', 'function', 'tool_call', 'execute_tool', 'unknown']);

/** Without arguments, only a named tool with a recorded result can be told from another call of it. */
function isComparable(use: ToolUse): boolean {
  return use.hasArguments || (use.hasResult && !UNNAMED.has(use.name.toLowerCase()));
}

/** How many of `turns` (step indices, rising) stand before each use. */
export function countBefore(uses: readonly ToolUse[], turns: readonly number[]): number[] {
  let passed = 0;
  return uses.map((use) => {
    while (passed < turns.length && turns[passed]! < use.step) passed += 1;
    return passed;
  });
}

/** Whether no other call of the same agent is between them. */
export function isConsecutive(uses: readonly ToolUse[], at: readonly number[]): boolean {
  const { agent } = uses[at[0]!]!;
  const members = new Set(at);
  for (let between = at[0]! + 1; between < at[at.length - 1]!; between += 1) {
    if (!members.has(between) && uses[between]!.agent === agent) return false;
  }
  return true;
}

function isLeft(uses: readonly ToolUse[], at: readonly number[]): boolean {
  const last = at[at.length - 1]!;
  for (let later = last + 1; later < uses.length; later += 1) {
    if (uses[later]!.agent === uses[last]!.agent) return uses[later]!.name !== uses[last]!.name;
  }
  return false;
}

function isResolved(
  uses: readonly ToolUse[],
  at: readonly number[],
  keys: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
): boolean {
  const last = at[at.length - 1]!;
  const sameQuestion = positions.get(questionOf(uses[last]!)) ?? [];
  return sameQuestion.some((later) => later > last && !uses[later]!.isError && keys[later] !== keys[last]);
}

function questionOf(use: ToolUse): string {
  return `${use.actor}\n${use.name}\n${use.argumentsText}`;
}

function positionsByQuestion(uses: readonly ToolUse[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, use] of uses.entries()) {
    const question = questionOf(use);
    const known = positions.get(question);
    if (known === undefined) positions.set(question, [at]);
    else known.push(at);
  }
  return positions;
}
