import type { Db } from '../../store/connection.ts';
import { scheduleOnce } from '../../store/job.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { querySilentTraces } from '../../store/silent-trace.store.ts';
import { SETTLE_JOB } from '../ingest/commit-spans.ts';
import type { ClockWatch } from '../leases/clock-watch.ts';

/** A run that sends no end counts as ended this long after its last event was analysed. So that a run may pause overnight. */
export const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Of one sweep, so that live traces wait for few. */
const TRACES_A_SWEEP = 200;

/** Whether times that lie far back, or ahead, can be trusted. */
export type ClockTrust = Pick<ClockWatch, 'isSteady' | 'mayBeBehind'>;

type AnalyzedTrace = Pick<TraceTable, 'status' | 'version' | 'analyzed_version' | 'is_settled' | 'updated_at'>;

/**
 * Whether a trace has ended although a root of it has no end: its last analysis is 24 hours old and nothing came since, or it
 * counted as ended before and nothing came since. A time that lies a day ahead was written by a wrong clock, unless the clock is
 * behind now.
 */
export function isAbandoned(trace: AnalyzedTrace, now: number, clock: ClockTrust): boolean {
  if (trace.analyzed_version !== trace.version) return false;
  if (trace.status !== 'running') return trace.is_settled === 1;
  const silentMs = now - trace.updated_at;
  if (silentMs >= ABANDONED_AFTER_MS) return clock.isSteady();
  return silentMs <= -ABANDONED_AFTER_MS && !clock.mayBeBehind();
}

/** Schedules the analysis of abandoned traces of all tenants; call it in a transaction. @returns how many */
export async function scheduleAbandoned(db: Db, now: number, clock: ClockTrust): Promise<number> {
  if (!clock.isSteady()) return 0;
  const after = clock.mayBeBehind() ? null : now + ABANDONED_AFTER_MS;
  const range = { before: now - ABANDONED_AFTER_MS, after, limit: TRACES_A_SWEEP };
  const found = await querySilentTraces(db, range).execute();
  for (const { tenant_no: tenantNo, trace_id: key } of found)
    await scheduleOnce(db, { tenantNo, kind: SETTLE_JOB, key, runAt: now, isHistory: true });
  return found.length;
}
