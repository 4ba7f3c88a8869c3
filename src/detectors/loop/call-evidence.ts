import type { Evidence } from '../../core/detection.ts';
import type { Thresholds } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { inARow, recordedWord } from '../_kit/completeness.ts';
import { counted, cut, endOf, joined, oneLine, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { answerLine, withoutStatus } from '../_readings/conduct/answer-line.ts';
import { codeOf } from '../_readings/conduct/executions.ts';
import { failureExcerpt, failureHeadline } from '../_readings/conduct/failure-excerpt.ts';
import { hasFailureForm } from '../_readings/conduct/failure-form.ts';
import { functionBodies } from '../_readings/conduct/function-bodies.ts';
import type { RunEnd } from '../_readings/conduct/run-end.ts';
import { countsSimilar } from '../_readings/repeats/similar-calls.ts';

export type CallSubtype = 'exact_repetition' | 'stalled' | 'cyclic' | 'retry_storm' | 'repeated_fault' | 'rephrasing';

/** Rises with every repetition above the configured limit; one below the limit is at most info. */
export function repetitionScore(repeats: number, allowed: number): number {
  return repeats < allowed ? 0.3 * (repeats / allowed) + 0.15 : Math.min(0.98, 0.66 + 0.06 * (repeats - allowed));
}

/** Lowest score of a repetition after which no call of the run worked, or on which the run ended without its answer. */
export const UNSOLVED_FLOOR = 0.88;

/** The score, raised if the run shows that the task is not done. */
export function scoreAtEnd(score: number, { isUnsolved, isAnswerDue }: RunEnd): number {
  return isUnsolved || isAnswerDue ? Math.max(score, UNSOLVED_FLOOR) : score;
}

/** Whether the result of the call is the answer of the run. */
export function endsOnResult({ isSubmission, isLastResult }: RunEnd): boolean {
  return isSubmission || isLastResult;
}

/** Highest score of a repetition that may be intended: info, not warning. */
export const INTENDED_LIMIT = 0.54;

/** Which agent made these calls, and how often. For code that another agent ran, its author. */
export function callsText(trace: Trace, first: ToolUse, times: number, isConsecutive: boolean): string {
  const timesText = `${counted(times, 'time')}${isConsecutive ? inARow(trace, first.step) : ''}`;
  const who = first.agent ?? 'The agent';
  return first.requestedAt === first.step
    ? `${who} called ${first.name} ${timesText}`
    : `${who} had ${first.name} run ${timesText}`;
}

/** Phrase for equal or similar arguments in texts of detections. */
export function sameArguments(thresholds: Thresholds): string {
  return countsSimilar(thresholds) ? 'the same or nearly the same arguments' : 'the same arguments';
}

const MAX_FUNCTIONS = 3;

/** ` of \`tide\``: the functions that all these calls define in their code; empty without one. */
export function functionsText(calls: readonly ToolUse[]): string {
  const [first, ...others] = calls.map((call) => functionBodies(codeOf(call)).map(({ name }) => name));
  const shared = [...new Set(first)].filter((name) => others.every((names) => names.includes(name)));
  const names = shared.slice(0, MAX_FUNCTIONS).map((name) => `\`${name}\``);
  return names.length === 0 ? '' : ` of ${joined(names)}`;
}

/** A remark in brackets, with a leading space, if some of the calls differ from the others in white space. */
export function spacingText(calls: readonly ToolUse[]): string {
  const groups = [...Map.groupBy(calls, argumentsOf).values()].sort((a, b) => b.length - a.length);
  const words = new Set(calls.map((call) => argumentsOf(call).replace(/\s+/g, '')));
  if (groups.length < 2 || words.size > 1) return '';
  const others = groups.slice(1).flat();
  return ` (${stepsText(others.map(({ step }) => step))} with other white space)`;
}

/** One sentence with a leading space if the run has more calls with these arguments, whatever their results. */
export function equalCallsText(trace: Trace, uses: readonly ToolUse[], calls: readonly ToolUse[]): string {
  const [first] = calls as [ToolUse];
  const equal = uses.filter(
    ({ name, actor, argumentsText }) =>
      name === first.name && actor === first.actor && argumentsText === first.argumentsText,
  );
  if (!first.hasArguments || equal.length <= calls.length) return '';
  return ` In all, the run has ${equal.length} ${recordedWord(trace)}calls of ${first.name} with these arguments (steps ${equal[0]!.step} to ${equal.at(-1)!.step}).`;
}

export function callEvidence(trace: Trace, call: ToolUse): Evidence {
  return {
    kind: 'repeated_call',
    spanId: trace.steps[call.step]!.spanId,
    path: 'tool.arguments',
    quote: `${call.name}(${argumentsOf(call)})`,
    value: null,
  };
}

/** The first calls; the text of equal calls is quoted once. */
export function firstCallsEvidence(trace: Trace, calls: readonly ToolUse[], limit: number): Evidence[] {
  return calls.slice(0, limit).map((call, at) => {
    const evidence = callEvidence(trace, call);
    const before = calls.slice(0, at).find((each) => each.argumentsText === call.argumentsText);
    return before === undefined ? evidence : { ...evidence, quote: null, value: `equal to step ${before.step}` };
  });
}

/** The error of a failed call. */
export function errorEvidence(trace: Trace, call: ToolUse): Evidence {
  return {
    kind: 'error',
    spanId: trace.steps[call.step]!.spanId,
    path: 'error',
    quote: call.failure!.message,
    value: null,
  };
}

/** The result: for a failed command the lines that say what failed, for other calls the end; empty if nothing was recorded. */
export function resultEvidence(trace: Trace, call: ToolUse): Evidence[] {
  const outputText = outputOf(call);
  if (outputText === '') return [];
  const quote =
    call.command === null
      ? outputText
      : call.isError
        ? failureExcerpt(outputText)
        : endOf(outputText, RESULT_CHARACTERS);
  return [{ kind: 'result', spanId: trace.steps[call.step]!.spanId, path: 'tool.result', quote, value: null }];
}

const RESULT_CHARACTERS = 280;

function outputOf(call: ToolUse): string {
  return (call.resultText || call.failure?.message || '').trim();
}

/** The result in one short line, for a failure the line that says what failed; empty if nothing was recorded. */
export function resultLine(call: ToolUse): string {
  const output = withoutStatus(outputOf(call));
  if (hasFailureForm(output)) return answerLine(output);
  if (call.requestedAt !== call.step) return cut(oneLine(output), LINE_CHARACTERS);
  if (call.command === null) return cut(oneLine(call.failure?.message || call.resultText), LINE_CHARACTERS);
  if (call.isError) return failureHeadline(outputOf(call));
  const outputText = oneLine(outputOf(call));
  return outputText.length <= LINE_CHARACTERS ? outputText : `…${endOf(outputText, LINE_CHARACTERS)}`;
}

const LINE_CHARACTERS = 100;

export function argumentsOf(call: ToolUse): string {
  return call.command ?? (typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments));
}
