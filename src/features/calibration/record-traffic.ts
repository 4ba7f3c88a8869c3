import { saveSamples } from '../../store/calibration.store.ts';
import type { Db } from '../../store/connection.ts';
import { scheduleOnce } from '../../store/job.store.ts';
import type { TraceSignals } from './traffic.ts';

export const CALIBRATION_JOB = 'calibrate';

/** Traces arrive in bursts; one recalculation covers them all. */
const BATCH_DELAY_MS = 120_000;

export interface AnalyzedTrace {
  traceId: string;
  framework: string;
  signals: TraceSignals;
  /** Features for the run's risk rank. */
  riskColumns: readonly number[] | null;
}

/** Stores the scores of the traces, and marks the tenant's calibration as outdated. Call it inside a transaction. */
export async function recordTraffic(
  db: Db,
  tenantNo: number,
  traces: readonly AnalyzedTrace[],
  now: number,
): Promise<void> {
  if (traces.length === 0) return;
  await saveSamples(
    db,
    traces.map(({ traceId, framework, signals, riskColumns }) => ({
      tenant_no: tenantNo,
      trace_id: traceId,
      framework,
      seen_at: now,
      signals: JSON.stringify(signals),
      risk_columns: riskColumns === null ? null : JSON.stringify(riskColumns),
    })),
  );
  await recordLabels(db, tenantNo, now);
}

/** Marks the tenant's calibration as outdated, after new labels. Call it inside a transaction. */
export async function recordLabels(db: Db, tenantNo: number, now: number): Promise<void> {
  await scheduleOnce(db, { tenantNo, kind: CALIBRATION_JOB, key: 'traffic', runAt: now + BATCH_DELAY_MS });
}
