import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { runTraceId } from '../../formats/langgraph-server/run-span.ts';
import { parseHistoryKey } from './history-job.ts';

/** A run without its nodes: they are still to be fetched, or fetching them failed permanently. */
export const fetchRecord = z
  .object({
    trace_id: z.string(),
    deployment_id: z.string(),
    thread_id: z.string(),
    run_id: z.string(),
    status: z.enum(['waiting', 'failed']).describe('`failed` is not retried unless the run is sent again'),
    attempts: z.number().int(),
    problem: z.string().nullable().describe('Why the last try failed'),
    next_try_at: z.string().meta({ format: 'date-time' }).nullable(),
  })
  .meta({ id: 'GraphruntimeFetch' });
export type FetchRecord = z.output<typeof fetchRecord>;

export function toFetchRecord(
  row: { key: string; run_at: number; attempts: number; last_error: string | null },
  mostAttempts: number,
): FetchRecord {
  const { deploymentId = '', threadId = '', runId = '' } = parseHistoryKey(row.key) ?? {};
  const isGivenUp = row.attempts >= mostAttempts && row.last_error !== null;
  return {
    trace_id: runTraceId(runId),
    deployment_id: deploymentId,
    thread_id: threadId,
    run_id: runId,
    status: isGivenUp ? 'failed' : 'waiting',
    attempts: row.attempts,
    problem: row.last_error || null,
    next_try_at: isGivenUp ? null : toRfc3339(row.run_at),
  };
}
