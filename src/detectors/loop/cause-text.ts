import type { Trace } from '../../core/trace.ts';
import { recordedWord } from '../_kit/completeness.ts';
import { capitalized, stepsText } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import type { CallAdvice } from '../_readings/conduct/call-advice.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';
import { isSameCause, type Obstacle } from '../_readings/conduct/obstacle.ts';
import { unnamedFunction, unnamedText } from '../_readings/conduct/unnamed-function.ts';
import { missingBodyText } from '../_readings/conduct/unwritten-functions.ts';
import { comparedUses } from '../_readings/repeats/compared-uses.ts';

/**
 * The cause of the repeated result, if the result itself does not state it, and the other calls with this cause: sentences
 * with a leading space.
 * @param steps steps that the text has already named: the repeated calls, and others with the same result
 */
export function causeText(trace: Trace, steps: readonly number[], { obstacle, cause }: CallAdvice): string {
  if (obstacle.kind === 'stub') return missingBodyText(obstacle.missing);
  if (obstacle.kind === 'bare_answer') return unnamedText(unnamedFunction(trace));
  if (obstacle.kind === 'missing_path') return samePathText(trace, steps, obstacle);
  if (cause === '') return '';
  // This cause already names all calls.
  if (obstacle.kind === 'lost_quotes' && /\bsteps \d/.test(cause)) return ` ${cause}`;
  if (obstacle.kind === 'redirected') return ` ${cause}${unreadText(trace, obstacle.file)}`;
  const others = othersWithCause(trace, steps, obstacle);
  return ` ${cause}${others.length === 0 ? '' : ` The same applies to ${stepsText(others.map(({ step }) => step))}.`}`;
}

function othersWithCause(trace: Trace, steps: readonly number[], obstacle: Obstacle): ToolUse[] {
  return comparedUses(trace).filter(
    (use) => !steps.includes(use.step) && isSameCause(obstacle, obstacleOf(trace, use)),
  );
}

/** The result itself states that the path does not exist. */
function samePathText(
  trace: Trace,
  steps: readonly number[],
  obstacle: Extract<Obstacle, { kind: 'missing_path' }>,
): string {
  const others = othersWithCause(trace, steps, obstacle);
  return others.length === 0
    ? ''
    : ` ${capitalized(stepsText(others.map(({ step }) => step)))} also ${others.length === 1 ? 'fails' : 'fail'} because ${obstacle.path} does not exist.`;
}

/** Kinds of which an earlier call is no fault: a command may write to a file. */
const OFTEN_INTENDED: ReadonlySet<string> = new Set(['redirected']);

/** Step of the first call of the agent that shows the stated cause, up to the repeated call; null if no cause is stated. */
export function firstStepWithCause(trace: Trace, repeated: ToolUse, { obstacle, cause }: CallAdvice): number | null {
  // A body may be missing since an earlier version that failed for another reason.
  if (obstacle.kind === 'stub') return Math.min(obstacle.missing.steps[0]!, repeated.requestedAt);
  if ((cause === '' && obstacle.kind !== 'missing_path') || OFTEN_INTENDED.has(obstacle.kind)) return null;
  const first = comparedUses(trace).find(
    (use) => use.agent === repeated.agent && use.step <= repeated.step && isSameCause(obstacle, obstacleOf(trace, use)),
  );
  return (first ?? repeated).requestedAt;
}

/** One sentence if no command of the run names the file other than as the target of its output. */
function unreadText(trace: Trace, file: string): string {
  const reads = ({ command, argumentsText }: ToolUse) =>
    (command ?? argumentsText)
      .split(/>{1,2}\s{0,8}/)
      .some((part, at) => part.slice(at === 0 || !part.startsWith(file) ? 0 : file.length).includes(file));
  return comparedUses(trace).some(reads) ? '' : ` No ${recordedWord(trace)}call of the run reads ${file}.`;
}
