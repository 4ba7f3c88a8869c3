import type { Db } from '../../store/connection.ts';
import { readTraces } from '../../store/trace.store.ts';
import { groupByTrace } from '../ingest/trace-touch.ts';
import type { PlatformRuns } from './integration-source.ts';

/** Leaves out what a summary tells of runs that are known in full. */
export async function withoutKnownBetter(db: Db, tenantNo: number, runs: PlatformRuns): Promise<PlatformRuns> {
  if (!runs.isSummary) return runs;
  const groups = groupByTrace(runs.spans);
  const known = await readTraces(db, tenantNo, [...groups.keys()]);
  const isBetter = (traceId: string) => {
    const trace = known.get(traceId);
    // One whose end is not known lacks just what a summary tells.
    return trace?.root_ended === 1 && trace.span_count > (groups.get(traceId)?.length ?? 0);
  };
  return { ...runs, spans: runs.spans.filter(({ traceId }) => !isBetter(traceId)) };
}
