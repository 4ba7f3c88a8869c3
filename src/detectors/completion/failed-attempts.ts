import type { Trace } from '../../core/trace.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import type { Attempt } from '../_readings/conduct/attempts.ts';
import { adviceAt, type CallAdvice } from '../_readings/conduct/call-advice.ts';
import type { Obstacle } from '../_readings/conduct/obstacle.ts';
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
  if (advice === null) return '';
  const { obstacle } = advice;
  const cause =
    obstacle.kind === 'missing_program'
      ? `There is no program "${obstacle.program}" where ${shown.by} runs.`
      : advice.cause;
  if (cause === '') return '';
  const same = failures.filter(({ step }) => {
    const other = adviceAt(trace, step)?.obstacle;
    return other?.kind === obstacle.kind && (other.kind !== 'missing_program' || other.program === programOf(obstacle));
  });
  const count =
    same.length === failures.length
      ? `all ${failures.length} failures`
      : `${same.length} of the ${failures.length} failures`;
  return ` ${cause}${same.length < 2 ? '' : ` That is the cause of ${count}.`}`;
}

function programOf(obstacle: Obstacle): string | null {
  return obstacle.kind === 'missing_program' ? obstacle.program : null;
}
