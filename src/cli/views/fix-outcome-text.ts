import { type FixOutcome, MAX_RUNS } from '../../features/issues/fix-outcome.record.ts';
import { count, counted } from './amounts.ts';

/** Whether a fix holds, with its date. */
export function fixOutcomeText(outcome: FixOutcome): string {
  return `${runsAfterFixText(outcome)} since ${outcome.since}`;
}

/** Whether a fix holds. */
export function runsAfterFixText({ run_count, recurrence_count }: FixOutcome): string {
  if (run_count === 0) return 'no run';
  const runs = run_count < MAX_RUNS ? counted(run_count, 'run') : `${count(run_count)}+ runs`;
  return recurrence_count === 0 ? `no detection in ${runs}` : `detected again in ${count(recurrence_count)} of ${runs}`;
}
