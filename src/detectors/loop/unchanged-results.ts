import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { counted, cut, lengthInLetters } from '../_kit/text.ts';
import { answersOf } from './acknowledgement.ts';
import { argumentsOf, type CallSubtype, callEvidence, oneLine } from './call-story.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { repeatedCalls } from './repeated-calls.ts';
import { countBefore, type Turns } from './repetition.ts';

/** A shorter result is equal for different arguments by chance, or since it says nothing about them. */
const LEAST_CHARACTERS = 80;

/**
 * Calls of one tool in a row, each with other arguments, that all got the same result: positions in the list of uses. Calls
 * that one answer of the model asked for count once.
 */
export function findUnchangedResults(uses: readonly ToolUse[], turns: Turns, minLength: number): number[][] {
  const found: number[][] = [];
  const newsBefore = countBefore(uses, turns.news);
  const answersBefore = countBefore(uses, turns.model);
  const { isAcknowledged } = answersOf(uses);
  const running = new Map<string, number[]>();
  const close = (actor: string) => {
    const run = running.get(actor) ?? [];
    if (new Set(run.map((at) => uses[at]!.argumentsText)).size >= minLength) found.push(run);
    running.delete(actor);
  };
  for (const [at, use] of uses.entries()) {
    const before = running.get(use.actor)?.at(-1);
    const isSame = before !== undefined && isSameAnswer(uses[before]!, use) && newsBefore[before] === newsBefore[at];
    if (!isSame) close(use.actor);
    if (!isTelling(use) || isAcknowledged(use)) continue;
    if (!isSame) running.set(use.actor, [at]);
    else if (turns.model.length === 0 || answersBefore[before] !== answersBefore[at]) running.get(use.actor)!.push(at);
  }
  for (const actor of [...running.keys()]) close(actor);
  return found;
}

function isSameAnswer(one: ToolUse, other: ToolUse): boolean {
  return one.name === other.name && one.resultText === other.resultText;
}

function isTelling(use: ToolUse): boolean {
  const isCandidate = use.command === null && use.hasArguments && !use.isError;
  return isCandidate && lengthInLetters(use.resultText) >= LEAST_CHARACTERS;
}

export function unchangedResultsFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  options: DetectorOptions,
): Finding<CallSubtype> {
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options);
  const said = cut(oneLine(first.resultText), 100);
  return {
    subtype: 'stalled',
    score: Math.min(0.8, 0.6 + 0.04 * (calls.length - 4)),
    ...place,
    explanation: `${first.agent ?? 'The agent'} called ${first.name} ${counted(calls.length, 'time')} in a row with different arguments, from ${cut(argumentsOf(first), 80)} to ${cut(argumentsOf(last), 80)}, and got the same result each time (${said}).`,
    suggestedAction: `Stop after the third equal result of ${first.name}, and look for its cause before the next try.`,
    evidence: calls.slice(0, 5).map((call) => callEvidence(trace, call)),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, said)],
    key: first.name,
  };
}
