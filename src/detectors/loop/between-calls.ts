import type { Trace } from '../../core/trace.ts';
import { counted, joined, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';
import { hasFailureForm } from '../_readings/conduct/failure-form.ts';
import { statedVerdict } from '../_readings/conduct/run-outcome.ts';
import type { Repetition } from '../_readings/repeats/repetition.ts';

const MIN_FAILED = 2;

/** One sentence with a leading space: what other calls between the equal calls returned. Empty without such calls. */
export function betweenText(trace: Trace, uses: readonly ToolUse[], { at, gaps }: Repetition): string {
  const [first, last] = [uses[at[0]!]!, uses[at.at(-1)!]!];
  const isOther = (use: ToolUse) => use.name !== first.name || use.argumentsText !== first.argumentsText;
  const between = uses.filter((use) => use.step > first.step && use.step < last.step && isOther(use));
  if (gaps === 0)
    return outcomesText(
      trace,
      uses,
      between.filter(({ agent }) => agent === first.agent),
    );
  const failed = between.filter((use) => hasFailed(trace, use));
  if (failed.length < MIN_FAILED)
    return ` Another call returned a new result before ${gaps === at.length - 1 ? 'each repetition' : `${gaps} of the ${counted(at.length - 1, 'repetition')}`}.`;
  const names = [...new Set(failed.map(({ name }) => name))].join(', ');
  return ` In between, ${counted(failed.length, 'call')} of ${names} failed (steps ${failed[0]!.step} to ${failed.at(-1)!.step}).`;
}

/** Predicates of a sentence about calls, in the order in which they are listed. */
const OUTCOMES = [
  'failed',
  'returned nothing',
  'returned a result that had come before',
  'returned another result',
] as const;
type Outcome = (typeof OUTCOMES)[number];

function outcomesText(trace: Trace, uses: readonly ToolUse[], between: readonly ToolUse[]): string {
  const [first] = between;
  if (first === undefined) return '';
  const outcomes = between.map((use) => outcomeOf(trace, uses, use));
  const kinds = OUTCOMES.filter((kind) => outcomes.includes(kind));
  if (kinds.length === 1) {
    const steps = stepsText(between.map(({ step }) => step));
    const subject = between.length === 1 ? 'The call' : `The ${between.length} calls`;
    return ` ${subject} in between (${steps}) ${kinds[0]}.`;
  }
  const parts = kinds.map((kind) => `${outcomes.filter((one) => one === kind).length} ${kind}`);
  return ` Of the ${between.length} calls in between, ${joined(parts)}.`;
}

function outcomeOf(trace: Trace, uses: readonly ToolUse[], use: ToolUse): Outcome {
  if (hasFailed(trace, use)) return 'failed';
  if (/^\s{0,20}(?:\[\s{0,4}\]|\{\s{0,4}\}|null)?\s{0,20}$/.test(use.resultText)) return 'returned nothing';
  const isKnown = uses.some(
    ({ step, name, resultText }) => step < use.step && name === use.name && resultText === use.resultText,
  );
  return isKnown ? 'returned a result that had come before' : 'returned another result';
}

/** Kinds of obstacles that are no failure of the call. */
const WORKED: ReadonlySet<string> = new Set([
  'shared_answer',
  'empty',
  'hidden_error',
  'no_items',
  'redirected',
  'echo',
  'several_calls',
  'other_names',
]);

/** Kinds that say nothing about the outcome of the call. */
const UNDECIDED: ReadonlySet<string> = new Set(['bare_answer', 'stub', 'result']);

/** Whether the result shows that the call failed. */
export function hasFailed(trace: Trace, use: ToolUse): boolean {
  if (use.isError) return true;
  const { kind } = obstacleOf(trace, use);
  if (UNDECIDED.has(kind))
    return hasFailureForm(use.resultText) || statedVerdict(use.resultText, use.command ?? use.argumentsText) === false;
  return !WORKED.has(kind);
}
