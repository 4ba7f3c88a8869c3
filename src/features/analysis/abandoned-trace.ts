import type { Db } from '../../store/connection.ts';
import { scheduleOnce } from '../../store/job.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { querySilentTraces } from '../../store/silent-trace.store.ts';
import { SETTLE_JOB } from '../ingest/commit-spans.ts';

/** A run that sends no end counts as ended this long after its last event was analysed. Longer than a night. */
export const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Of one sweep, so that live traces wait for few. */
const TRACES_A_SWEEP = 200;

type AnalyzedTrace = Pick<TraceTable, 'status' | 'version' | 'analyzed_version' | 'is_settled' | 'updated_at'>;

/**
 * Whether a trace has ended although a root of it has no end: its last analysis is 24 hours old and nothing came since, or it
 * counted as ended before and nothing came since. A time that lies a day ahead was written by a wrong clock.
 */
export function isAbandoned(trace: AnalyzedTrace, now: number): boolean {
  if (trace.analyzed_version !== trace.version) return false;
  if (trace.status !== 'running') return trace.is_settled === 1;
  return Math.abs(now - trace.updated_at) >= ABANDONED_AFTER_MS;
}

/** Schedules the analysis of abandoned traces of all tenants; call it in a transaction. @returns how many */
export async function scheduleAbandoned(db: Db, now: number): Promise<number> {
  const range = { before: now - ABANDONED_AFTER_MS, after: now + ABANDONED_AFTER_MS, limit: TRACES_A_SWEEP };
  const found = await querySilentTraces(db, range).execute();
  for (const { tenant_no: tenantNo, trace_id: key } of found)
    await scheduleOnce(db, { tenantNo, kind: SETTLE_JOB, key, runAt: now, isHistory: true });
  return found.length;
}
