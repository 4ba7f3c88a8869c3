import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import type { TraceRecord } from '../../features/traces/trace.record.ts';
import type { TraceFindings } from '../views/trace-findings.ts';

/** A stored trace and what stands against it, ready to be drawn. */
export function findingsOfRecord(record: TraceRecord, detections: DetectionRecord[]): TraceFindings {
  const { spans, states: _states, final_output: _output, analyzed: _analyzed, ...trace } = record;
  return {
    source: null,
    trace,
    steps: spans.map((span) => ({ spanId: span.span_id, name: span.name })),
    detections,
    judged: null,
    notApplicable: [],
    crashed: [],
  };
}
