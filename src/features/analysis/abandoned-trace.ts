import type { Db } from '../../store/connection.ts';
import { queryIdleTraces } from '../../store/idle-trace.store.ts';
import { scheduleOnce } from '../../store/job.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { SETTLE_JOB } from '../ingest/commit-spans.ts';
import type { ClockMonitor } from '../leases/clock-monitor.ts';

/** A run without an end counts as ended this long after the analysis of its last event, so that a run may pause overnight. */
export const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Small, so that live traces are not delayed. */
const TRACES_PER_SWEEP = 200;

/** Whether times far in the past, or in the future, can be trusted. */
export type ClockTrust = Pick<ClockMonitor, 'isSteady' | 'mayBeBehind'>;

type AnalyzedTrace = Pick<TraceTable, 'status' | 'version' | 'analyzed_version' | 'is_settled' | 'updated_at'>;

/**
 * Whether a trace has ended although a root of it has no end: its last analysis is 24 hours old and nothing arrived since, or it
 * counted as ended before and nothing arrived since. A time a day ahead was written by a wrong clock, unless the clock is
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
  const range = { before: now - ABANDONED_AFTER_MS, after, limit: TRACES_PER_SWEEP };
  const found = await queryIdleTraces(db, range).execute();
  for (const { tenant_no: tenantNo, trace_id: key } of found)
    await scheduleOnce(db, { tenantNo, kind: SETTLE_JOB, key, runAt: now, isHistory: true });
  return found.length;
}
