import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { counted, cut, oneLine } from '../_kit/text.ts';
import { differingPieces } from '../_kit/text-difference.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { callAdvice } from '../_readings/conduct/call-advice.ts';
import { hasFailureForm } from '../_readings/conduct/failure-form.ts';
import { type RunEnd, runEndAfter } from '../_readings/conduct/run-end.ts';
import { resultKindsOf } from '../_readings/repeats/acknowledgement.ts';
import { callKeys, countBefore, type Turns } from '../_readings/repeats/repetition.ts';
import { hasFailed } from './between-calls.ts';
import {
  argumentsOf,
  type CallSubtype,
  endsOnResult,
  firstCallsEvidence,
  INTENDED_LIMIT,
  repetitionScore,
  resultLine,
  sameArguments,
  UNSOLVED_FLOOR,
} from './call-evidence.ts';
import { causeText, firstStepWithCause } from './cause-text.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { loopImpact } from './loop-impact.ts';
import { otherSourceAdvice } from './other-source.ts';
import { findPeriodicRuns, type PeriodicRun } from './periodic.ts';
import { sameValue, sameValueAdvice, sameValueText } from './same-value.ts';
import { endOfWaitText, waitAdvice } from './successful-wait.ts';

/** Cycles of equal calls with equal results. User messages, new texts and new states in between are progress. */
export function findCallCycles(
  uses: readonly ToolUse[],
  turns: Turns,
  { loopDetectionWindow, minMatchesForLoop }: DetectorOptions['thresholds'],
): PeriodicRun[] {
  const newInformationBefore = countBefore(uses, turns.newInformation);
  const keys = callKeys(uses).map((key, at) => `${newInformationBefore[at]} ${key}`);
  return findPeriodicRuns(keys, loopDetectionWindow, minMatchesForLoop + 1);
}

export function cycleDetection(
  trace: Trace,
  uses: readonly ToolUse[],
  { from, to, period, rounds }: PeriodicRun,
  { thresholds, models }: DetectorOptions,
): DetectionDraft<CallSubtype> {
  const calls = uses.slice(from, to + 1);
  const wait = newAnswer(uses, calls.slice(-period), to);
  const isResolved = wait !== null;
  const names = calls.slice(0, period).map((call) => call.name);
  const isOneTool = new Set(names).size === 1 && period > 1;
  const path = isOneTool ? `of ${counted(period, 'different call')} of ${names[0]}` : names.join(' → ');
  const round = calls.slice(0, period);
  const agents = [...new Set(calls.map((call) => call.agent ?? 'the agent'))];
  const repeated = { trace, agent: calls[0]!.agent, what: isOneTool ? names[0]! : path, times: rounds };
  const last = calls.at(-1)!;
  const end = runEndAfter(trace, last.step);
  const decisive = decisiveCall(trace, round, end);
  const advice = callAdvice(trace, decisive);
  const value = sameValue(trace, uses, round, true);
  const causeStep = BEGINS_EARLIER.has(advice.obstacle.kind) ? firstStepWithCause(trace, decisive, advice) : null;
  const valueAdvice = value === null ? '' : sameValueAdvice(decisive.agent ?? 'the agent', value);
  // The run may end within a round: its result is that of the last call.
  const endsOnWork = endsOnResult(end) && !end.isUnsolved && !hasFailed(trace, last);
  const isResult = endsOnWork && advice.obstacle.kind === 'result';
  const waiting = wait === null ? null : waitAdvice(wait, wait, rounds);
  const remedy = isResult
    ? valueAdvice || otherSourceAdvice(uses, last, resultLine(last))
    : `${advice.remedy}${value === null ? '' : ` ${valueAdvice}`}`;
  return {
    subtype: 'cyclic',
    score: Math.min(
      round.every(resultKindsOf(uses).isAcknowledgedAct) ? INTENDED_LIMIT : 0.98,
      Math.max(
        (repetitionScore(rounds - 1, thresholds.minMatchesForLoop) + 0.06) * (isResolved ? 0.5 : 1),
        end.isUnsolved || end.isUnanswered ? UNSOLVED_FLOOR : 0,
      ),
    ),
    step: causeStep ?? calls[period]!.requestedAt,
    steps: calls.map((call) => call.step),
    agent: calls[period]!.agent,
    explanation: `${agents.join(' and ')} repeated the cycle ${path} ${counted(rounds, 'time')}, with ${sameArguments(thresholds)} and the same results in every round${answersText(round)}.${causeText(
      trace,
      calls.map(({ step }) => step),
      advice,
    )}${sameValueText(value)}${wait === null ? '' : endOfWaitText(wait)}${end.text}`,
    ...loopImpact(trace, calls, end),
    suggestedAction:
      waiting !== null
        ? waiting.action
        : `${remedy} Every round has the same calls and results as the first one, which starts at step ${round[0]!.step}: stop after it.`,
    evidence: firstCallsEvidence(trace, calls, Math.min(2 * period, 6)),
    ...wasteOf(
      trace,
      calls.slice(period).map((call) => call.step),
      models,
    ),
    ...(waiting === null
      ? { fixes: [advice.fix, loopGuard(repeated), rememberInPrompt(repeated, '')] }
      : { fixes: waiting.fixes, promptRule: null, toolNote: null }),
    key: [...names].sort().join(' '),
  };
}

/** Obstacles that the first call of a cycle shows, and that calls before the cycle may show, too. */
const BEGINS_EARLIER: ReadonlySet<string> = new Set(['missing_path', 'undefined_name']);

/** The later call, equal to one of these, that returned something else: the cycle was a wait, and it succeeded. */
function newAnswer(uses: readonly ToolUse[], round: readonly ToolUse[], to: number): ToolUse | null {
  const found = uses
    .slice(to + 1, to + 1 + LOOK_AHEAD)
    .find((later) =>
      round.some(
        (call) =>
          call.name === later.name &&
          call.argumentsText === later.argumentsText &&
          !later.isError &&
          call.resultHash !== later.resultHash,
      ),
    );
  return found ?? null;
}

/** Number of later calls to examine: a wait ends with the next poll or not at all. */
const LOOK_AHEAD = 10;

/** The first call that failed, or the last one of the round. */
function decisiveCall(trace: Trace, round: readonly ToolUse[], { isUnsolved }: RunEnd): ToolUse {
  return (
    round.find(({ isError, resultText }) => isError || hasFailureForm(resultText)) ??
    (isUnsolved ? round.find((call) => hasFailed(trace, call)) : undefined) ??
    round.at(-1)!
  );
}

const SHOWN_CALLS = 2;
const ARGUMENTS_CHARACTERS = 60;

/** The arguments of one call; if two calls begin in the same way, from their difference on. */
function argumentsText(round: readonly ToolUse[], at: number): string {
  const [first, second] = round.slice(0, SHOWN_CALLS).map(argumentsOf);
  const pieces = second === undefined ? null : differingPieces(first!, second, ARGUMENTS_CHARACTERS);
  return pieces?.[at] ?? cut(oneLine(argumentsOf(round[at]!)), ARGUMENTS_CHARACTERS);
}

/** The results of the first round. */
function answersText(round: readonly ToolUse[]): string {
  const shown = round.slice(0, SHOWN_CALLS).map((call, at) => {
    const line = resultLine(call);
    return `${argumentsText(round, at)}: ${line === '' ? 'empty' : `"${cut(line, 80)}"`}`;
  });
  return ` (${shown.join('; ')}${round.length > SHOWN_CALLS ? '; …' : ''})`;
}
