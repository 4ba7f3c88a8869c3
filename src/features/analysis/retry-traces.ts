import type { Db } from '../../store/connection.ts';
import { clearFailedAnalyses, failedAnalysisTraceIds } from '../../store/failed-analysis.store.ts';
import { scheduleJobs } from '../../store/job.store.ts';
import { readTraces } from '../../store/trace.store.ts';
import { inBatches } from '../../store/transaction.ts';
import { SETTLE_JOB } from '../ingest/ingest.service.ts';

const TRACES_PER_STATEMENT = 500;

/**
 * Schedules traces to be analyzed again; call it in a transaction.
 * @param traceIds null: all whose analysis failed permanently
 * @returns the ids of those that exist
 */
export async function retryTraces(
  db: Db,
  tenantNo: number,
  traceIds: readonly string[] | null,
  now: number,
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const slice of inBatches(traceIds ?? (await failedAnalysisTraceIds(db, tenantNo)), TRACES_PER_STATEMENT)) {
    const found = [...(await readTraces(db, tenantNo, slice)).keys()];
    if (found.length === 0) continue;
    await clearFailedAnalyses(db, tenantNo, found);
    const jobs = found.map((key) => ({ tenantNo, kind: SETTLE_JOB, key, runAt: now, isHistory: true }));
    await scheduleJobs(db, jobs);
    for (const traceId of found) known.add(traceId);
  }
  return known;
}
