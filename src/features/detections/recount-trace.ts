import type { Detection } from '../../core/detection.ts';
import { maxSeverity } from '../../core/severity.ts';
import type { TraceStatus } from '../../core/trace.ts';
import type { Db } from '../../store/connection.ts';
import { detectionsOfTrace } from '../../store/detection.store.ts';
import type { DetectionTable, TraceTable } from '../../store/schema.ts';
import { readTrace, saveTraces } from '../../store/trace.store.ts';
import { changeFigures, decodeFigures, encodeFigures } from '../../store/trace-figures.store.ts';
import { withDetections } from '../analytics/figures-of-trace.ts';
import { isCounted } from './counted.ts';
import { qualityScore } from './quality.ts';

/**
 * Recounts a trace's stored detections after a user's mark on one of them: its count, severity and score, and its
 * contribution to the daily figures. Call it in the transaction of the mark, after it.
 *
 * @param before the detection as it was before the mark
 */
export async function recountTrace(db: Db, before: DetectionTable): Promise<void> {
  const { tenant_no: tenantNo, trace_id: traceId, detection_id: detectionId } = before;
  const trace = await readTrace(db, tenantNo, traceId);
  if (trace === null) return;
  const rows = await detectionsOfTrace(db, tenantNo, traceId);
  const rowsBefore = rows.map((row) => (row.detection_id === detectionId ? before : row));
  const counted = detectionsIn(rows);
  const score = trace.quality_score === null ? null : qualityScore(outcomeOf(trace, detectionsIn(rowsBefore)), counted);
  const figures = trace.figures === null ? null : decodeFigures(trace.figures);
  const after = figures && withDetections(figures, { qualityScore: score, detections: counted });
  await saveTraces(db, [
    {
      ...trace,
      detection_count: counted.length,
      max_severity: maxSeverity(counted.map(({ severity }) => severity)),
      quality_score: score,
      figures: after && encodeFigures(after),
    },
  ]);
  if (after !== null) await changeFigures(db, tenantNo, [{ traceId, before: figures, after }]);
}

function detectionsIn(rows: readonly DetectionTable[]): Detection[] {
  return rows.filter(isCounted).map(({ body }) => JSON.parse(body) as Detection);
}

/** The run's outcome at its last analysis: a trace with newer spans has the status `running` but keeps its score. */
function outcomeOf(trace: TraceTable, counted: readonly Detection[]): TraceStatus {
  if (trace.status !== 'running') return trace.status as TraceStatus;
  return (trace.quality_score ?? 0) < (qualityScore('ok', counted) ?? 0) ? 'error' : 'ok';
}
