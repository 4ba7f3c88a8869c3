import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import { type SharedParts, sharedParts } from '../_kit/shared-parts.ts';
import { capitalized, counted, cut } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { answerLine, answerSummary, sharedAnswer } from '../_readings/conduct/answer-line.ts';
import type { Attempt } from '../_readings/conduct/attempts.ts';
import { type CallAdvice, callAdvice } from '../_readings/conduct/call-advice.ts';
import { type RunEnd, runEndAfter } from '../_readings/conduct/run-end.ts';
import { isSubmissionName } from '../_readings/conduct/submissions.ts';
import { comparedUses } from '../_readings/repeats/compared-uses.ts';
import { endsOnResult, UNSOLVED_FLOOR } from './call-evidence.ts';
import { causeText, firstStepWithCause } from './cause-text.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import { loopImpact } from './loop-impact.ts';
import { sameValue, sameValueText } from './same-value.ts';
import type { StalledCheck } from './stalled-check.ts';

/** From this number on, each further result increases the score. */
const BASE_RUNS = 3;

export function stalledCheckDetection(
  trace: Trace,
  check: StalledCheck,
  { models }: DetectorOptions,
): DetectionDraft<'unmoved_check'> {
  const { changes, isSameQuestion } = check;
  const runs = withoutSubmission(trace, check.runs);
  const [first, second] = runs as [Attempt, Attempt];
  const last = runs.at(-1)!;
  const shown = sharedAnswer(runs.map(({ result }) => result));
  const line = isSameQuestion && last.hasFailed === true ? answerLine(last.result) : shown;
  // The last version is the one to correct. For equal calls, the first result is nearest to its cause.
  const corrected = first.request === last.request ? first : last;
  const uses = comparedUses(trace).filter(({ step }) => runs.some((run) => run.step === step));
  const call = uses.find(({ step }) => step === corrected.step);
  const advice = call === undefined ? null : callAdvice(trace, call);
  // A cause that the results do not state may have been there before these attempts.
  const causeStep =
    call === undefined || advice === null || isSameQuestion ? null : firstStepWithCause(trace, call, advice);
  const times = counted(runs.length, 'time');
  const repeated = { trace, agent: first.agent, what: first.by, times: runs.length };
  const steps = runs.map(({ step }) => step);
  const body = advice === null ? '' : causeText(trace, steps, advice);
  const end = runEndAfter(trace, last.step);
  return {
    subtype: 'unmoved_check',
    score: Math.max(
      end.isUnsolved || end.isUnanswered ? UNSOLVED_FLOOR : 0,
      Math.min(0.9, 0.7 + 0.04 * (check.runs.length - BASE_RUNS)),
    ),
    // The first version that failed, or the first check that showed that a change had no effect.
    step: causeStep ?? (isSameQuestion ? second : first).requestedAt,
    steps,
    agent: first.agent,
    explanation: isSameQuestion
      ? `The same check with ${first.by} failed in the same way ${times} (steps ${first.step} to ${last.step}), with ${counted(changes, 'change')} in between: "${line}". The run ended without another result of it.${body}${end.text}`
      : `The last ${counted(runs.length, 'attempt')} with ${first.by} (steps ${first.step} to ${last.step}), ${differenceText(runs)}, all returned the same result: "${shown}".${variedText(runs)}${sameValueText(sameValue(trace, comparedUses(trace), uses, false))}${body}${endText(end, last)}`,
    ...loopImpact(trace, uses, end, UNMOVED),
    suggestedAction: adviceFor(advice, runs, end),
    evidence: runs.slice(0, 5).map(({ step, result, hasFailed }) => ({
      kind: hasFailed === true ? 'error' : 'output',
      spanId: trace.steps[step]!.spanId,
      path: trace.steps[step]!.kind === 'message' ? 'output' : 'tool.result',
      quote: answerLine(result),
      value: null,
    })),
    ...wasteOf(trace, steps.slice(1), models),
    fixes: [
      ...(advice === null || isAboutResult(advice) ? [] : [advice.fix]),
      rememberInPrompt(repeated, cut(line, 80)),
      loopGuard(repeated),
    ],
    key: `unmoved ${first.by}`,
  };
}

/** The attempts without a closing call that submits the work: its result is that of the attempt before. */
function withoutSubmission(trace: Trace, runs: readonly Attempt[]): readonly Attempt[] {
  const own = runs.filter(({ request }) => !isSubmissionName(trace, request));
  return own.length < 2 ? runs : own;
}

function differenceText(runs: readonly Attempt[]): string {
  const different = new Set(runs.map(({ request }) => request)).size;
  return different === 1 ? 'which are equal' : `${different} of them different`;
}

const UNMOVED = 'The run ended on a result that none of its attempts changed.';

function endText(end: RunEnd, { hasFailed }: Attempt): string {
  if (!end.isUnanswered && end.text !== '') return end.text;
  return ` The run ended with it${hasFailed === true ? '' : ', without a message of the agent'}.`;
}

/** Whether the advice is about an equal call. The attempts of a check differ. */
function isAboutResult({ obstacle }: CallAdvice): boolean {
  return ['result', 'empty', 'no_items'].includes(obstacle.kind);
}

/** The advice. A result that shows no failure may already be the answer. */
function adviceFor(advice: CallAdvice | null, runs: readonly Attempt[], end: RunEnd): string {
  const { agent, by, result, hasFailed } = runs.at(-1)!;
  const who = agent ?? 'the agent';
  const isPlain = advice === null || isAboutResult(advice);
  const kept = keptText(who, runs);
  const change = kept === '' ? againText(runs) : ` ${capitalized(kept)}.`;
  if (!isPlain) return `${advice.remedy}${NAMES_PART.has(advice.obstacle.kind) ? '' : change}`;
  if (hasFailed === true)
    return `Have ${who} correct what ${by} reports ("${answerLine(result)}"): none of the ${runs.length} attempts changed it.${change}`;
  const ended = `The result did not change since step ${runs[0]!.step}: end the run with it${endsOnResult(end) ? ' there' : ''}, or`;
  return kept === ''
    ? `${ended} let ${by} return what is still missing: "${cut(answerSummary(result), 140)}" was returned ${runs.length} times and does not say it.${change}`
    : `${ended} ${kept}.`;
}

/** Advice on these names the part of the call to change. */
const NAMES_PART: ReadonlySet<string> = new Set([
  'stray_text',
  'bare_name',
  'missing_program',
  'cut_command',
  'lost_quotes',
  'one_line',
  'escaped_breaks',
  'undefined_name',
  'lost_definition',
]);

/**
 * Advice to change what none of the commands changed, or which of the attempts repeat another one. Versions of code share
 * their head by design.
 */
function keptText(who: string, runs: readonly Attempt[]): string {
  const parts = partsOf(runs);
  if (parts !== null)
    return `have ${who} change what all ${runs.length} attempts have in common${commonText(parts)} instead of ${placeOf(parts)}`;
  return '';
}

/** Advice to reject an attempt that was made before; empty without such an attempt. */
function againText(runs: readonly Attempt[]): string {
  const again = runs.find(({ request }, at) => runs.findIndex((one) => one.request === request) < at);
  const first = runs.find(({ request }) => request === again?.request);
  const isOneQuestion = runs.every(({ request }) => request === runs[0]!.request);
  if (again === undefined || isOneQuestion) return '';
  return ` Reject an attempt that was made before: step ${again.step} is equal to step ${first!.step}.`;
}

/** What the commands of all attempts have in common; null if an attempt is no command. */
function partsOf(runs: readonly Attempt[]): SharedParts | null {
  const commands = runs.flatMap(({ command }) => command ?? []);
  return commands.length === runs.length ? sharedParts(commands) : null;
}

function commonText({ before, after }: SharedParts): string {
  return before !== '' && after !== '' ? '' : ` ("${before}${after}")`;
}

function placeOf({ before, after }: SharedParts): string {
  if (before === '') return 'what precedes it';
  return after === '' ? 'what follows it' : `the part between "${before}" and "${after}"`;
}

const SHOWN_PIECES = 3;
const PIECE_CHARACTERS = 60;

/** One sentence with a leading space about the part of the commands that was varied; empty if that is not plain. */
function variedText(runs: readonly Attempt[]): string {
  const parts = partsOf(runs);
  if (parts === null) return '';
  const { before, after, varied } = parts;
  const shown = varied.slice(0, SHOWN_PIECES).map((piece) => `"${cut(piece, PIECE_CHARACTERS)}"`);
  const last = varied.length > SHOWN_PIECES ? 'others' : shown.length > 1 ? shown.pop()! : null;
  const list = `(${shown.join(', ')}${last === null ? '' : ` and ${last}`})`;
  if (before === '') return ` Only what precedes "${after}" was varied ${list}.`;
  if (after !== '') return ` Only the part between "${before}" and "${after}" was varied ${list}.`;
  const isFilter = varied.every((piece) => /^\|(?!\|)/.test(piece));
  return ` Only what ${isFilter ? 'the output is piped to after' : 'follows'} "${before}" was varied ${list}.`;
}
