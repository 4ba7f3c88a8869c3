import type { FixOutcome } from '../../client/misstep-client.generated.ts';
import { count, pluralize } from './amounts.ts';
import { dateText } from './times.ts';

/** The server stops counting runs here. */
const MAX_RUNS = 1_000;

/** Whether a fix holds, in one sentence. @param since when it took effect */
export function fixOutcomeText(
  { since: time, run_count, recurrence_count }: FixOutcome,
  since = dateText(time),
): string {
  if (run_count === 0) return `No run since ${since}`;
  const runs = run_count < MAX_RUNS ? pluralize(run_count, 'run') : `${count(run_count)}+ runs`;
  if (recurrence_count === 0) return `No detection in ${runs} since ${since}`;
  return `Detected again in ${count(recurrence_count)} of ${runs} since ${since}`;
}

/** `open`: no run shows yet whether the fix holds. */
export function fixOutcomeState({ run_count, recurrence_count }: FixOutcome): 'open' | 'holds' | 'recurred' {
  if (run_count === 0) return 'open';
  return recurrence_count === 0 ? 'holds' : 'recurred';
}
