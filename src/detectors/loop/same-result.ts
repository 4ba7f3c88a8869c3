import { memoizeByRef } from '../_kit/memoize.ts';
import { stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { withoutStatus } from '../_readings/conduct/answer-line.ts';
import { printsOwnText } from '../_readings/conduct/call-obstacle.ts';
import { failureLine, hasFailureForm } from '../_readings/conduct/failure-form.ts';

/**
 * One sentence about calls of the same tool with other arguments that had the result of a repeated call: its cause is not
 * in the arguments. Empty if there are none.
 * @param at positions of the repeated calls in `uses`
 */
export function sameResultText(uses: readonly ToolUse[], at: readonly number[]): string {
  const steps = sameResultSteps(uses, at);
  if (steps.length === 0) return '';
  const kind = isFailed(uses[at[0]!]!) ? 'error' : 'result';
  return ` Other arguments had the same ${kind} at ${stepsText(steps)}.`;
}

/** Steps of the calls of the same tool with other arguments that had the result of a repeated call. */
export function sameResultSteps(uses: readonly ToolUse[], at: readonly number[]): number[] {
  const first = uses[at[0]!]!;
  const expectedResult = comparedResult(first);
  if (expectedResult === '') return [];
  const repeated = new Set(at);
  const others = uses.filter(
    (use, position) =>
      !repeated.has(position) &&
      use.name === first.name &&
      use.agent === first.agent &&
      use.argumentsText !== first.argumentsText &&
      comparedResult(use) === expectedResult,
  );
  return others.map(({ step }) => step);
}

/** One sentence about other commands that only print a text of their own; empty if the repeated command does not. */
export function otherPrintsText(uses: readonly ToolUse[], at: readonly number[]): string {
  const first = uses[at[0]!]!;
  if (!printsOwnText(first)) return '';
  const repeated = new Set(at);
  const others = uses.filter((use, position) => !repeated.has(position) && printsOwnText(use));
  if (others.length === 0) return '';
  return ` Other calls that only print a text of their own are at ${stepsText(others.map(({ step }) => step))}.`;
}

/** The first of the commands directly before the repeated one that only print a text; null if the calls are other ones. */
export function firstOwnPrint(uses: readonly ToolUse[], at: readonly number[]): ToolUse | null {
  const first = uses[at[0]!]!;
  if (!printsOwnText(first)) return null;
  const own = uses.slice(0, at[0]! + 1).filter(({ agent }) => agent === first.agent);
  return own[own.findLastIndex((use) => !printsOwnText(use)) + 1]!;
}

const LINE_NUMBER = /\bline \d{1,7}\b/g;

/** The error line of a failed call without line numbers, else the whole result. */
const comparedResult = memoizeByRef((use: ToolUse): string => {
  const text = (use.failure?.message || use.resultText).trim();
  return isFailed(use) ? failureLine(withoutStatus(text)).replace(LINE_NUMBER, 'line #') : text;
});

function isFailed({ isError, failure, resultText }: ToolUse): boolean {
  return isError || failure !== null || hasFailureForm(resultText);
}
