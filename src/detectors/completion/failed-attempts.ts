import type { Trace } from '../../core/trace.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import type { Attempt } from '../_readings/conduct/attempts.ts';
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
