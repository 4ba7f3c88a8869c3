import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { counted, cut, endOf } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';
import { answersOf, hasWording } from './acknowledgement.ts';
import {
  argumentsOf,
  type CallSubtype,
  callEvidence,
  MEANT_LIMIT,
  oneLine,
  repetitionScore,
  resultEvidence,
  sameArguments,
} from './call-story.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import type { Repetition } from './repetition.ts';

export function repetitionFinding(
  trace: Trace,
  uses: readonly ToolUse[],
  repetition: Repetition,
  { thresholds, models }: DetectorOptions,
): Finding<CallSubtype> {
  const { at, isConsecutive } = repetition;
  const calls = at.map((position) => uses[position]!);
  const [first] = calls as [ToolUse];
  const args = cut(argumentsOf(first), 120);
  const said = oneLine(first.failure?.message || first.resultText);
  const outcome = first.isError ? 'error' : 'result';
  const result =
    said === ''
      ? 'no recorded result'
      : `the same ${outcome} (${first.command === null || said.length <= 100 ? cut(said, 100) : `…${endOf(said, 100)}`})`;
  const repeated = {
    trace,
    agent: first.agent,
    what: first.name,
    times: at.length,
  };
  return {
    subtype: isConsecutive ? 'exact_repetition' : 'stalled',
    score: Math.min(
      limitOf(uses, first, repetition),
      repetitionScore(at.length - 1, thresholds.minMatchesForLoop) *
        doubt(first, repetition, thresholds.minMatchesForLoop),
    ),
    step: calls[1]!.step,
    steps: calls.map((call) => call.step),
    agent: first.agent,
    explanation: `${first.agent ?? 'The agent'} called ${first.name} ${counted(at.length, 'time')}${isConsecutive ? ' in a row' : ''}${
      first.hasArguments ? ` with ${sameArguments(thresholds)} ${args}` : ''
    } and got ${result} each time.${isConsecutive ? '' : between(repetition)}`,
    suggestedAction: `Limit how often ${first.agent ?? 'the agent'} may call ${first.name} with ${sameArguments(thresholds)} and the same result.`,
    evidence: [...calls.slice(0, 4).map((call) => callEvidence(trace, call)), ...resultEvidence(trace, first)],
    ...wasteOf(
      trace,
      calls.slice(1).map((call) => call.step),
      models,
    ),
    fixes: [loopGuard(repeated), rememberInPrompt(repeated, cut(said, 80))],
    key: first.name,
  };
}

/** Where something new came between most of the calls, each belongs to a round of its own: no more than an observation. */
const ROUNDS_LIMIT = 0.4;
/** Nobody means to do one thing so often in a row. */
const MANY_CALLS = 8;
const MANY_LIMIT = 0.8;

function limitOf(uses: readonly ToolUse[], first: ToolUse, { at, gaps, isConsecutive }: Repetition): number {
  if (gaps > (at.length - 1) / 2) return ROUNDS_LIMIT;
  if (!answersOf(uses).isMereAct(first)) return 1;
  return isConsecutive && at.length >= MANY_CALLS ? MANY_LIMIT : MEANT_LIMIT;
}

/** What came of the other calls in between, as far as their results show. */
function between({ gaps }: Repetition): string {
  return gaps > 0
    ? ` Other calls had new results in ${counted(gaps, 'of the intervals', 'of the intervals')} between.`
    : ' The calls in between failed, found nothing or got results that had come before.';
}

/** Factor for what speaks against a loop: waiting that paid off, nothing to compare, or a way out found in time. */
function doubt(first: ToolUse, { at, isConsecutive, isResolved, isLeft }: Repetition, allowed: number): number {
  if (!first.hasArguments) return isResolved ? 0.5 : 0.9;
  if (isResolved) return 0.5;
  const isHarmless = isConsecutive && isLeft && at.length - 1 <= allowed && !hasWording(first.arguments);
  return isHarmless ? 0.8 : 1;
}
