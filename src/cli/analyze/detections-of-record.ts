import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import type { TraceRecord } from '../../features/traces/trace.record.ts';
import type { StepName, TraceDetections } from '../views/trace-detections.ts';

/** A stored trace with its detections, ready to render. */
export function detectionsOfRecord(
  record: TraceRecord,
  steps: readonly StepName[],
  detections: DetectionRecord[],
): TraceDetections {
  const { spans: _spans, states: _states, final_output: _output, analyzed: _analyzed, ...rest } = record;
  const { partial_usage_calls: partialCalls, ...trace } = rest;
  return {
    source: null,
    trace,
    steps,
    detections,
    judged: null,
    notApplicable: [],
    crashed: [],
    ...(partialCalls === null ? {} : { isUsagePartial: partialCalls > 0 }),
  };
}
