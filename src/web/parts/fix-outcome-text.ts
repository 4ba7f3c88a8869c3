import type { FixOutcome } from '../../client/misstep-client.generated.ts';
import type { QueryOf } from '../address/routes.ts';
import { count, pluralize } from './amounts.ts';
import { zonedTimeText } from './times.ts';

/** The server stops counting runs here. */
const MAX_RUNS = 1_000;

/** With fewer runs without the failure, it is open whether a fix holds. */
const MIN_RUNS = 3;

/** Whether a fix holds, in one sentence. `runs` can link to the counted runs. */
export interface FixOutcomeParts {
  before: string;
  runs: string;
  after: string;
}

/** @param resolvedAt when the issue was resolved; null if it is not */
export function fixOutcomeParts(outcome: FixOutcome, resolvedAt: string | null = null): FixOutcomeParts {
  const { since, run_count, recurrence_count } = outcome;
  const time = zonedTimeText(since);
  const after = since === resolvedAt ? ` since it was resolved (${time})` : ` since ${time}`;
  if (run_count === 0) return { before: '', runs: 'No run', after };
  const runs = run_count < MAX_RUNS ? pluralize(run_count, 'run') : `${count(run_count)}+ runs`;
  if (recurrence_count === 0) return { before: 'Not detected in ', runs, after };
  return { before: `Detected again in ${count(recurrence_count)} of `, runs, after };
}

/** Whether a fix holds, below the time when it was applied. */
export function outcomeSinceThen(outcome: FixOutcome): string {
  const { before, runs } = fixOutcomeParts(outcome);
  return `${before}${runs} since then`;
}

/** `open`: too few runs show yet whether the fix holds. */
export function fixOutcomeState({
  run_count,
  recurrence_count,
}: Pick<FixOutcome, 'run_count' | 'recurrence_count'>): 'open' | 'holds' | 'recurred' {
  if (recurrence_count > 0) return 'recurred';
  return run_count < MIN_RUNS ? 'open' : 'holds';
}

/** The filter of the list of traces for the counted runs; null without such a run. */
export function runsQuery({ since, run_count, agent_id, workflow_id }: FixOutcome): QueryOf<'traces'> | null {
  if (run_count === 0) return null;
  if (agent_id !== null) return { agent: agent_id, from: since };
  return workflow_id === null ? null : { workflow: workflow_id, from: since };
}
