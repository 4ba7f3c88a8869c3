import { saveSamples } from '../../store/calibration.store.ts';
import type { Db } from '../../store/connection.ts';
import { scheduleOnce } from '../../store/job.store.ts';
import type { TraceSignals } from './traffic.ts';

export const CALIBRATION_JOB = 'calibrate';

/** Traces come in bursts; one working out takes them all. */
const GATHER_MS = 120_000;

export interface AnalyzedTrace {
  traceId: string;
  framework: string;
  signals: TraceSignals;
  /** Numbers that the run's risk is ranked by. */
  riskColumns: readonly number[] | null;
}

/** Keeps what the traces scored, and notes that the tenant's calibration is out of date. Call it inside a transaction. */
export async function noteTraffic(
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
  await noteLabels(db, tenantNo, now);
}

/** Notes that the tenant's calibration is out of date, as new labels make it. Call it inside a transaction. */
export async function noteLabels(db: Db, tenantNo: number, now: number): Promise<void> {
  await scheduleOnce(db, { tenantNo, kind: CALIBRATION_JOB, key: 'traffic', runAt: now + GATHER_MS });
}
