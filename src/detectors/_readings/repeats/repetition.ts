import { memoizeByRef } from '../../_kit/memoize.ts';
import type { ToolUse } from '../calls/calls.ts';
import { resultKindsOf } from './acknowledgement.ts';

/** A call that was repeated without progress in between. */
export interface Repetition {
  /** Positions in the list of tool uses, ascending; at least two. */
  at: number[];
  /** Whether no other call of the same agent is in between. */
  isConsecutive: boolean;
  /** Whether the same call returned something else afterwards: a successful wait. */
  isResolved: boolean;
  /** Whether the agent's next call used another tool. */
  isFollowedByOtherTool: boolean;
  /** For each gap, the number of other calls with a new result. */
  gaps: number;
}

/** Ascending step indices. */
export interface Turns {
  /** New messages of the user. One that only the history of a model call contains is half a step before the call. */
  user: readonly number[];
  /** New messages of the user, new texts of agents, and new state changes. */
  newInformation: readonly number[];
  /** Answers of models. */
  model: readonly number[];
}

/** With fewer model answers, one span may represent all model calls of a run, and parallel requests are unknown. */
const MIN_MODEL_TURNS = 3;

/**
 * Groups equal calls (tool, arguments, result) without progress since the previous one. A new call that may have changed
 * something, a new user turn, a new text or a new state restarts the count. Calls that a model requested in one answer
 * count once: it had not seen the first result yet.
 */
export function findRepetitions(uses: readonly ToolUse[], turns: Turns): Repetition[] {
  const runs = new Map<string, number[]>();
  const finished: number[][] = [];
  const turnsBefore = countBefore(uses, turns.newInformation);
  const modelTurnOf = countBefore(uses, turns.model);
  const isInterleaved = new Set(modelTurnOf).size >= MIN_MODEL_TURNS;
  const countsModelTurns = (at: number) => modelTurnOf[at]! > 0 && (isInterleaved || !uses[at]!.isError);
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
    } else if (!countsModelTurns(at) || modelTurnOf[at] !== modelTurnOf[before]) run.push(at);
  }
  return [...finished, ...runs.values()]
    .filter((run) => run.length > 1)
    .map((at) => ({
      at,
      isConsecutive: isConsecutive(uses, at),
      isResolved: isResolved(uses, at, keys, positions),
      isFollowedByOtherTool: isFollowedByOtherTool(uses, at),
      gaps: gapsWithNewResults(effects, at),
    }));
}

/**
 * Possible effect of a new call, by the form of its result. `change`: it was carried out, and the result does not describe
 * it. `new_information`: the result is new and descriptive. `nothing`: it failed, found nothing, or returned the result that the tool
 * had returned for other arguments.
 */
type Effect = 'change' | 'new_information' | 'nothing';

function effectsOf(uses: readonly ToolUse[]): Effect[] {
  const known = new Set<string>();
  const { isAcknowledged } = resultKindsOf(uses);
  return uses.map((use) => {
    if (use.command !== null) return use.changesState ? 'change' : 'nothing';
    if (use.isError || /^(?:\[\s{0,4}\]|\{\s{0,4}\})$/.test(use.resultText)) return 'nothing';
    if (isAcknowledged(use)) return 'change';
    const result = `${use.actor}\n${use.name}\n${use.resultText}`;
    const isKnown = known.has(result);
    known.add(result);
    return isKnown ? 'nothing' : 'new_information';
  });
}

function gapsWithNewResults(effects: readonly Effect[], at: readonly number[]): number {
  return at.slice(1).filter((end, n) => effects.slice(at[n]! + 1, end).includes('new_information')).length;
}

/**
 * Identity of each call: agent, tool, arguments, result. Results are hashed only if a call occurs twice. Computed once
 * because cycles and repetitions use the same keys.
 */
export const callKeys = memoizeByRef((uses: readonly ToolUse[]): readonly string[] => {
  const positions = positionsByQuestion(uses);
  return uses.map((use, at) => {
    const question = questionOf(use);
    if (!isComparable(use)) return `${question}\n#${at}`;
    return positions.get(question)!.length === 1 ? question : `${question}\n${use.resultHash}`;
  });
});

/** Generic names, used if the sender did not record which tool was called. */
const UNNAMED = new Set(['', 'tool', 'tools', 'function', 'tool_call', 'execute_tool', 'unknown']);

/** Whether a call can be compared. Calls without arguments are comparable only if tool name and result are recorded. */
function isComparable(use: ToolUse): boolean {
  return use.hasArguments || (use.hasResult && !UNNAMED.has(use.name.toLowerCase()));
}

/** Number of `turns` (ascending step indices) before each use. */
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

function isFollowedByOtherTool(uses: readonly ToolUse[], at: readonly number[]): boolean {
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
