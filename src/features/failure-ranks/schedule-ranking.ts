import { MIN_RANKED_RUNS } from '../../detectors/_attribution/failure-rank.ts';
import type { Db } from '../../store/connection.ts';
import { hasRuns, UNRANKED } from '../../store/failure-rank.store.ts';
import { scheduleSoonest } from '../../store/job.store.ts';
import type { TraceTable } from '../../store/schema.ts';

export const RANK_JOB = 'rank';

/** Runs arrive in bursts; one job ranks a burst. */
export const BATCH_DELAY_MS = 30_000;

/** Schedules the ranking of traffic groups that have runs without a rank. Call it inside a transaction, after the rows were saved. */
export async function scheduleRanking(
  db: Db,
  tenantNo: number,
  rows: readonly Pick<TraceTable, 'traffic' | 'rank_percent'>[],
  now: number,
): Promise<void> {
  const traffics = new Set(rows.flatMap((row) => (row.rank_percent === UNRANKED ? (row.traffic ?? []) : [])));
  for (const traffic of traffics) {
    // A sender with random agent names has one traffic group per run: none of them needs a job.
    if (!(await hasRuns(db, { tenantNo, traffic }, MIN_RANKED_RUNS))) continue;
    await scheduleSoonest(db, [{ tenantNo, kind: RANK_JOB, key: traffic, runAt: now + BATCH_DELAY_MS }]);
  }
}
