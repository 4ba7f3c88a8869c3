import type { FixOutcome } from '../../client/misstep-client.generated.ts';
import { count, pluralize } from './amounts.ts';
import { dateText } from './times.ts';

/** The server stops counting runs here. */
const MAX_RUNS = 1_000;

/** Whether a fix holds, in one sentence. */
export function fixOutcomeText({ since, run_count, recurrence_count }: FixOutcome): string {
  const date = dateText(since);
  if (run_count === 0) return `No run since ${date}`;
  const runs = run_count < MAX_RUNS ? pluralize(run_count, 'run') : `${count(run_count)}+ runs`;
  if (recurrence_count === 0) return `No detection in ${runs} since ${date}`;
  return `Detected again in ${count(recurrence_count)} of ${runs} since ${date}`;
}

/** `open`: no run shows yet whether the fix holds. */
export function fixOutcomeState({ run_count, recurrence_count }: FixOutcome): 'open' | 'holds' | 'recurred' {
  if (run_count === 0) return 'open';
  return recurrence_count === 0 ? 'holds' : 'recurred';
}
