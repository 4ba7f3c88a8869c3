import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import type { TraceRecord } from '../../features/traces/trace.record.ts';
import type { StepName, TraceFindings } from '../views/trace-findings.ts';

/** A stored trace and what stands against it, ready to be drawn. */
export function findingsOfRecord(
  record: TraceRecord,
  steps: readonly StepName[],
  detections: DetectionRecord[],
): TraceFindings {
  const { spans: _spans, states: _states, final_output: _output, analyzed: _analyzed, ...trace } = record;
  return {
    source: null,
    trace,
    steps,
    detections,
    judged: null,
    notApplicable: [],
    crashed: [],
  };
}
