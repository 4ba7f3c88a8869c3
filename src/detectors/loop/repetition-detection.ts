import type { Evidence } from '../../core/detection.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { textsAmong } from '../_readings/calls/argument-roles.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { onlyRejectedEdits, type RejectedEdits, rejectedEditsText } from '../_readings/coding/rejected-edits.ts';
import { answerSummary } from '../_readings/conduct/answer-line.ts';
import { type CallAdvice, callAdvice } from '../_readings/conduct/call-advice.ts';
import { editEvidence, lastEdit } from '../_readings/conduct/failed-check.ts';
import { type FalseTestClaim, falseTestClaim } from '../_readings/conduct/false-test-claim.ts';
import { type RunEnd, runEndAfter } from '../_readings/conduct/run-end.ts';
import { hasWording, resultKindsOf } from '../_readings/repeats/acknowledgement.ts';
import { areSlowPolls } from '../_readings/repeats/paced-calls.ts';
import type { Repetition } from '../_readings/repeats/repetition.ts';
import { betweenText, hasFailed } from './between-calls.ts';
import {
  argumentsOf,
  type CallSubtype,
  callsText,
  equalCallsText,
  firstCallsEvidence,
  functionsText,
  INTENDED_LIMIT,
  repetitionScore,
  resultEvidence,
  resultLine,
  sameArguments,
  scoreAtEnd,
  spacingText,
  UNSOLVED_FLOOR,
} from './call-evidence.ts';
import { causeText, firstStepWithCause } from './cause-text.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { loopImpact } from './loop-impact.ts';
import { type OwnTexts, ownTextsAtEnd, ownTextsText } from './own-texts.ts';
import { pagesOn } from './paging.ts';
import { repeatedCalls } from './repeated-calls.ts';
import { blockedCall, isAnsweredAfter, type RepetitionAdvice, repetitionAdvice } from './repetition-advice.ts';
import { type RunStop, runStopAfter } from './run-stop.ts';
import { firstOwnPrint, otherPrintsText, sameResultSteps, sameResultText } from './same-result.ts';
import { sameValue, sameValueText } from './same-value.ts';
import { endOfWait, endOfWaitText, slowPollAdvice, waitAdvice } from './successful-wait.ts';
import { isTemporary, TEMPORARY_RULE, temporaryErrorAdvice } from './temporary-error.ts';
import { unchangedPage, unchangedPageText } from './unchanged-page.ts';

export function repetitionDetection(
  trace: Trace,
  uses: readonly ToolUse[],
  repetition: Repetition,
  options: DetectorOptions,
): DetectionDraft<CallSubtype> {
  const { thresholds } = options;
  const { at, isConsecutive } = repetition;
  const { calls, first, last, repeated, place } = repeatedCalls(trace, uses, at, options);
  const advice = callAdvice(trace, first);
  const args = cut(oneLine(argumentsOf(first)), 120);
  const line = 'line' in advice.obstacle && first.hasResult ? advice.obstacle.line : resultLine(first);
  const isKnown = line !== '' || first.outcome !== null || first.resultText !== '';
  const end = runEndAfter(trace, last.step);
  const claim = claimText(trace, last);
  const rejected = rejectedBetween(trace, first, last);
  const page = unchangedPage(trace, calls);
  const ownTexts = advice.obstacle.kind === 'echo' ? ownTextsAtEnd(trace, uses) : null;
  const isWithoutAnswer = end.endsEmpty && hasFailed(trace, first);
  const isUnapplied = rejected !== null || isRejectedEdit(trace, first, last);
  const score =
    repetitionScore(at.length - 1, thresholds.minMatchesForLoop) *
    doubtFactor(first, repetition, thresholds.minMatchesForLoop);
  const limited = Math.min(
    isKnown ? limitOf(trace, uses, repetition) : INTENDED_LIMIT,
    isKnown && !isUnapplied ? limitByDamage(trace, first, last, advice) : 1,
    at.length > thresholds.minMatchesForLoop
      ? scoreAtEnd(score, isUnapplied ? { ...end, isUnsolved: true } : end)
      : score,
  );
  const blocked = rejected === null ? blockedCall(trace, uses, repetition, advice, { isKnown, page }) : null;
  const stop = end.text === '' && claim === '' && rejected === null ? runStopAfter(trace, last) : null;
  const step =
    rejected === null
      ? (firstStepWithCause(trace, blocked ?? first, blocked === null ? advice : callAdvice(trace, blocked)) ??
        (ownTexts === null ? firstOwnPrint(uses, at) : ownTexts.texts[0])?.requestedAt ??
        place.step)
      : place.step;
  const wait = rejected === null && !first.isError ? endOfWait(uses, last) : null;
  const isPassing = rejected === null && calls.every(isTemporary);
  const special =
    wait !== null
      ? waitAdvice(first, wait, calls.length)
      : isPassing
        ? temporaryErrorAdvice(first)
        : rejected === null && isAnsweredPoll(trace, calls)
          ? slowPollAdvice(first, calls.length)
          : null;
  const suggested =
    special ??
    (rejected === null
      ? (finishingAdvice(first, advice, stop) ?? repetitionAdvice(trace, uses, repetition, advice, { isKnown, page }))
      : rejectedAdvice(trace, rejected, first));
  return {
    subtype: isConsecutive ? 'exact_repetition' : 'stalled',
    score: ownTexts !== null || isWithoutAnswer ? scoreOfLoss(limited) : limited,
    ...place,
    step,
    steps: [
      ...new Set([
        ...place.steps,
        ...(rejected?.edits ?? []).map(({ step }) => step),
        ...(rejected !== null || ownTexts === null ? [] : [ownTexts.texts[0].requestedAt, ownTexts.result.step]),
      ]),
    ].sort((a, b) => a - b),
    explanation: `${rejected === null ? '' : `${rejectedEditsText(rejected)} `}${callsText(trace, first, at.length, isConsecutive)}${
      first.hasArguments ? argumentsText(calls, args, sameArguments(thresholds)) : ''
    }${resultText(first, shownResult(first, line), isKnown)}${page === null ? '' : unchangedPageText(first, page)}${equalCallsText(trace, uses, calls)}${isConsecutive || rejected !== null ? '' : betweenText(trace, uses, repetition)}${sameResultText(uses, at)}${sameValueText(sameValue(trace, uses, calls, false))}${suggested.common ?? ''}${ownTexts === null ? otherPrintsText(uses, at) : ownTextsText(ownTexts)}${extraText(trace, uses, at, advice)}${blocked === null ? '' : blockedText(trace, blocked)}${wait === null ? '' : endOfWaitText(wait)}${claim === '' ? end.text : claim}${stop?.text ?? ''}`,
    ...impactIn(trace, calls, end, isUnapplied, ownTexts, stop),
    suggestedAction: `${suggested.action}${rejected !== null || ownTexts === null ? '' : ` End the run with the result of step ${ownTexts.result.step}.`}`,
    evidence: [
      ...firstCallsEvidence(trace, calls, 2),
      ...[first, last].flatMap((call) => resultEvidence(trace, call)),
      ...workEvidence(trace, first, last, advice),
    ],
    fixes: [
      ...suggested.fixes,
      ...(suggested.isGuarded ? [loopGuard(repeated), rememberInPrompt(repeated, cut(line, 80))] : []),
    ],
    ...(suggested.isGuarded ? {} : { promptRule: null, toolNote: null }),
    ...(isPassing ? TEMPORARY_RULE : {}),
    key: first.name,
  };
}

/** What the calls have in common. The functions of code say more than its first lines. */
function argumentsText(calls: readonly ToolUse[], args: string, same: string): string {
  const functions = calls.every(({ argumentsText: text }) => text === calls[0]!.argumentsText)
    ? functionsText(calls)
    : '';
  return functions === '' ? ` with ${same}${spacingText(calls)} ${args}` : ` with the same code${functions}`;
}

/** The score if the run failed because of the loop. A repetition that may be intended keeps its score. */
function scoreOfLoss(score: number): number {
  return score > INTENDED_LIMIT ? Math.max(score, UNSOLVED_FLOOR) : score;
}

function impactIn(
  trace: Trace,
  calls: readonly ToolUse[],
  end: RunEnd,
  isUnapplied: boolean,
  ownTexts: OwnTexts | null,
  stop: RunStop | null,
): Pick<DetectionDraft<CallSubtype>, 'businessImpact'> {
  if (isUnapplied) return { businessImpact: 'No edit was applied: the task is not done.' };
  return ownTexts === null
    ? loopImpact(trace, calls, end, stop?.impact)
    : { businessImpact: 'The run ended with a text of its own instead of the result that a call had returned.' };
}

/** Advice on a command that only prints a text in a run that never called what ends the task. */
function finishingAdvice(
  { agent, step }: ToolUse,
  { obstacle, fix }: CallAdvice,
  stop: RunStop | null,
): RepetitionAdvice | null {
  if (obstacle.kind !== 'echo' || stop === null || stop.finishing === null) return null;
  const action = `Tell ${agent ?? 'the agent'} to end the task with ${stop.finishing}: the command of step ${step} only prints "${obstacle.text}", which is part of the command.`;
  const changes = fix.changes.map((change) => ({ ...change, after: action }));
  return {
    action,
    fixes: [{ ...fix, title: `End the task with ${stop.finishing}`, description: action, changes }],
    isGuarded: true,
  };
}

/** The cause of a failed call between the repeated ones, and its result; empty if no cause is stated. */
function blockedText(trace: Trace, blocked: ToolUse): string {
  const cause = causeText(trace, [blocked.step], callAdvice(trace, blocked));
  const line = resultLine(blocked);
  return cause === '' || line === '' ? cause : `${cause} Step ${blocked.step} returned "${line}".`;
}

/** The lines of a short result of code; for other results, `line`. */
function shownResult({ hasResult, command, requestedAt, step, resultText }: ToolUse, line: string): string {
  const isCode = command !== null || requestedAt !== step;
  const summary = hasResult && isCode ? answerSummary(resultText) : '';
  return summary.includes(' | ') ? summary : line;
}

/** What else explains the repetition. */
function extraText(trace: Trace, uses: readonly ToolUse[], at: readonly number[], advice: CallAdvice): string {
  const steps = [...at.map((position) => uses[position]!.step), ...sameResultSteps(uses, at)];
  return advice.obstacle.kind === 'result' ? wordsBefore(trace, uses[at[1]!]!) : causeText(trace, steps, advice);
}

function resultText({ isError }: ToolUse, line: string, isKnown: boolean): string {
  if (!isKnown) return '. No result of these calls is recorded, so it is not known whether they had the same one.';
  if (line === '') return ` and got the same empty ${isError ? 'error' : 'result'} each time.`;
  return ` and got the same ${isError ? 'error' : 'result'} (${line}) each time.`;
}

/** A later answer that says that the tests pass, although this call is their last run and failed. */
function claimAfter(trace: Trace, { step }: ToolUse): FalseTestClaim | null {
  const claim = falseTestClaim(trace);
  return claim?.failed.use.step === step ? claim : null;
}

function claimText(trace: Trace, last: ToolUse): string {
  const claim = claimAfter(trace, last);
  return claim === null ? '' : ` The answer at step ${claim.turn.step} says the opposite: "${cut(claim.claim, 120)}".`;
}

/** The edit that the advice names, and the claim. */
function workEvidence(trace: Trace, first: ToolUse, last: ToolUse, { obstacle }: CallAdvice): Evidence[] {
  const isWork = obstacle.kind === 'failure' && obstacle.part === 'work';
  const edit = isWork ? lastEdit(trace, first.step) : null;
  const claim = claimAfter(trace, last);
  return [
    ...(edit === null ? [] : [editEvidence(edit, trace.steps[edit.step]!.spanId)]),
    ...(claim === null
      ? []
      : [
          {
            kind: 'text',
            spanId: trace.steps[claim.turn.step]!.spanId,
            path: 'output',
            quote: claim.claim,
            value: null,
          },
        ]),
  ];
}

const WORDS_CHARACTERS = 160;

/** The agent's text directly before its second call. */
function wordsBefore(trace: Trace, { step, agent, command, argumentsText }: ToolUse): string {
  const before = trace.steps[step - 1];
  if (before === undefined || before.kind !== 'llm' || before.agent !== agent || before.output.trim() === '') return '';
  // The call in its written form adds no information.
  if (oneLine(before.output).includes(oneLine(command ?? argumentsText))) return '';
  return ` Before the second call it wrote: "${cut(oneLine(firstText(before.output)), WORDS_CHARACTERS)}".`;
}

/** Of a message that is a JSON object, the first text in it. */
function firstText(output: string): string {
  const value = output.trim().startsWith('{') ? parseJson(output) : undefined;
  const texts = value !== undefined && isJsonObject(value) ? textsAmong(value) : [];
  return texts.find((text) => text.trim() !== '') ?? output;
}

/** If new information came between most of the calls, each belongs to a separate round: at most an observation. */
const ROUNDS_LIMIT = 0.4;
/** Number of consecutive calls that cannot be intended. */
const MANY_CALLS = 8;
const MANY_LIMIT = 0.8;

function limitOf(trace: Trace, uses: readonly ToolUse[], { at, gaps, isConsecutive }: Repetition): number {
  if (gaps > (at.length - 1) / 2) return ROUNDS_LIMIT;
  const calls = at.map((position) => uses[position]!);
  if (isAnsweredPoll(trace, calls)) return INTENDED_LIMIT;
  if (!resultKindsOf(uses).isAcknowledgedAct(calls[0]!)) return 1;
  const isIntended = () =>
    isAnsweredAfter(trace, calls.at(-1)!) && (pagesOn(trace, calls) || isLookedAtAfter(uses, at));
  return isConsecutive && at.length >= MANY_CALLS && !isIntended() ? MANY_LIMIT : INTENDED_LIMIT;
}

/** More equal acts than this are not intended. */
const MAX_ACTS = 30;

/** Whether the next other call of the agent describes something: the acts were to lead there. */
function isLookedAtAfter(uses: readonly ToolUse[], at: readonly number[]): boolean {
  const last = at.at(-1)!;
  const next = uses.slice(last + 1).find(({ actor }) => actor === uses[last]!.actor);
  if (
    next === undefined ||
    at.length > MAX_ACTS ||
    (next.argumentsText === uses[last]!.argumentsText && next.name === uses[last]!.name)
  )
    return false;
  return !next.isError && next.hasResult && !resultKindsOf(uses).isAcknowledged(next);
}

/** Whether each call waited by itself, none failed, and an answer follows. */
function isAnsweredPoll(trace: Trace, calls: readonly ToolUse[]): boolean {
  return calls.every(({ isError }) => !isError) && areSlowPolls(trace, calls) && isAnsweredAfter(trace, calls.at(-1)!);
}

/**
 * A run that continued to an answer only lost time. If each call only requested the state that the first one had
 * established, there is no damage.
 */
function limitByDamage(trace: Trace, first: ToolUse, last: ToolUse, { obstacle }: CallAdvice): number {
  if (!isAnsweredAfter(trace, last) || obstacle.kind !== 'result') return 1;
  return echoesArguments(first) ? INTENDED_LIMIT : MANY_LIMIT;
}

const MIN_ECHOES = 2;

/** Whether the result is a record with the values of the arguments in fields of the same names. */
function echoesArguments({ arguments: args, resultText }: ToolUse): boolean {
  const result = resultText.startsWith('{') ? parseJson(resultText) : undefined;
  if (result === undefined || !isJsonObject(result) || !isJsonObject(args)) return false;
  const shared = Object.keys(args).filter((key) => result[key] !== undefined);
  return (
    shared.length >= MIN_ECHOES && shared.every((key) => JSON.stringify(args[key]) === JSON.stringify(result[key]))
  );
}

const MIN_FAILED = 2;

/** The edits of the run, if all were rejected, some of them between the repeated calls: these calls are a side effect. */
function rejectedBetween(trace: Trace, first: ToolUse, last: ToolUse): RejectedEdits | null {
  const rejected = isWhole(trace) ? onlyRejectedEdits(trace) : null;
  const between = rejected?.edits.filter(({ step }) => step > first.step && step < last.step) ?? [];
  return between.length >= MIN_FAILED && !rejected!.edits.some(({ step }) => step === first.step) ? rejected : null;
}

/** Whether the repeated call is the last edit of a run that applied none. */
function isRejectedEdit(trace: Trace, first: ToolUse, last: ToolUse): boolean {
  const edits = isWhole(trace) ? (onlyRejectedEdits(trace)?.edits ?? []) : [];
  return edits.some(({ step }) => step === first.step) && edits.at(-1)!.step === last.step;
}

function rejectedAdvice(trace: Trace, { edits }: RejectedEdits, repeated: ToolUse): RepetitionAdvice {
  const last = edits.at(-1)!;
  const same = edits.find((edit) => edit !== last && edit.argumentsText === last.argumentsText);
  const again =
    same === undefined ? '' : ` Reject an edit that was made before: step ${last.step} is equal to step ${same.step}.`;
  const { action, fix } = callAdvice(trace, last);
  return {
    action: `${action}${again} Reject the end of the run while no edit was applied. The repeated ${repeated.name} returned the same as at step ${repeated.step}.`,
    fixes: [fix],
    isGuarded: true,
  };
}

/** Factor for evidence against a loop: a successful wait, no result to compare, or a timely way out. */
function doubtFactor(
  first: ToolUse,
  { at, isConsecutive, isResolved, isFollowedByOtherTool }: Repetition,
  allowed: number,
): number {
  if (!first.hasArguments) return isResolved ? 0.5 : 0.9;
  if (isResolved) return 0.5;
  const isHarmless = isConsecutive && isFollowedByOtherTool && at.length - 1 <= allowed && !hasWording(first.arguments);
  return isHarmless ? 0.8 : 1;
}
