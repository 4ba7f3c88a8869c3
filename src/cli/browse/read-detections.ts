import type { Backend } from '../../client/backend.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { getOutlineOperation, getTraceOperation } from '../../features/traces/trace.operations.ts';
import type { TraceRecord } from '../../features/traces/trace.record.ts';
import { detectionsOfRecord } from '../analyze/detections-of-record.ts';
import type { TraceDetections } from '../views/trace-detections.ts';
import { type OutlineStep, toOutlineSteps } from './outline-steps.ts';

interface TraceAddress {
  tenant_id: string;
  trace_id: string;
}

/** A trace without the texts of its spans, which may be long. */
export interface TraceShape {
  trace: TraceRecord;
  steps: OutlineStep[];
}

export async function readShape(backend: Backend, { tenant_id, trace_id }: TraceAddress): Promise<TraceShape> {
  const trace = await backend.call(getTraceOperation, { tenant_id, trace_id, include: 'none' });
  const steps = toOutlineSteps(await backend.call(getOutlineOperation, { tenant_id, trace_id }));
  return { trace, steps };
}

export async function readDetections(
  backend: Backend,
  address: TraceAddress,
  detections: DetectionRecord[],
): Promise<TraceDetections> {
  const { trace, steps } = await readShape(backend, address);
  return detectionsOfRecord(trace, steps, detections);
}
