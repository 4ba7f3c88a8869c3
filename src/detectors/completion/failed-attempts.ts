import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import type { Attempt } from '../_readings/conduct/attempts.ts';
import { adviceAt, type CallAdvice } from '../_readings/conduct/call-advice.ts';
import { isSameCause } from '../_readings/conduct/obstacle.ts';
import { comparedUses } from '../_readings/repeats/compared-uses.ts';
import type { Verdict } from './verdict.ts';

/** The line of each result that says what failed, as evidence. */
export function failureEvidence(trace: Trace, failures: readonly Attempt[]): Verdict['evidence'] {
  return failures.map(({ step, result }) => ({
    kind: 'error',
    step,
    path: trace.steps[step]!.kind === 'message' ? 'output' : 'tool.result',
    quote: answerLine(result),
  }));
}

/** What made `shown` fail, and how many of the failed calls have the same cause, as sentences with a leading space. */
export function causeShareText(
  trace: Trace,
  failures: readonly Attempt[],
  shown: Attempt,
  advice: CallAdvice | null,
): string {
  const cause = advice === null ? '' : causeOf(shown, advice);
  if (advice === null || cause === '') return '';
  const same = failures.filter(({ step }) => hasCause(trace, step, advice));
  const count =
    same.length === failures.length
      ? `all ${failures.length} failures`
      : `at least ${same.length} of the ${failures.length} failures`;
  return ` ${cause}${same.length < 2 ? '' : ` That is the cause of ${count}.`}`;
}

function causeOf({ by }: Attempt, { obstacle, cause }: CallAdvice): string {
  if (obstacle.kind === 'missing_program') return `There is no program "${obstacle.program}" where ${by} runs.`;
  if (obstacle.kind !== 'missing_path') return cause;
  return /[*?]/.test(obstacle.path)
    ? `No file has a name of the pattern ${obstacle.path}.`
    : `The path ${obstacle.path} does not exist.`;
}

function hasCause(trace: Trace, step: number, { obstacle }: CallAdvice): boolean {
  const other = adviceAt(trace, step)?.obstacle;
  return other !== undefined && isSameCause(obstacle, other);
}

/** The last failure with the cause of at least half of the failures; else the last failure. */
export function commonFailure(trace: Trace, failures: readonly Attempt[]): Attempt {
  const last = failures.at(-1)!;
  const isCommon = (shown: Attempt) => {
    const advice = adviceAt(trace, shown.step);
    return (
      advice !== null &&
      causeOf(shown, advice) !== '' &&
      2 * failures.filter(({ step }) => hasCause(trace, step, advice)).length >= failures.length
    );
  };
  return failures.findLast(isCommon) ?? last;
}

/** Earlier calls of the run that fail for the same reason, although their results also have other lines. */
export function earlierWithCause(trace: Trace, before: number, advice: CallAdvice): readonly ToolUse[] {
  if (advice.cause === '' && !NAMED.has(advice.obstacle.kind)) return [];
  return comparedUses(trace).filter(({ step }) => step < before && hasCause(trace, step, advice));
}

/** Causes that name a program or a path. */
const NAMED: ReadonlySet<string> = new Set(['missing_program', 'missing_path']);
