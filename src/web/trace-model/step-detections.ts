import type { Detection, Severity } from '../../client/misstep-client.generated.ts';
import type { TraceColumns } from './columns.ts';

/** From the least to the most severe; the weight of a severity is its index plus one. */
export const SEVERITIES: readonly Severity[] = ['observation', 'info', 'warning', 'critical'];

export interface StepDetections {
  /** Detections in the order of their decisive step; those without a step come last. */
  ordered: readonly Detection[];
  /** Weight of the worst detection that involves each step: 0 for none, 4 for critical. */
  worst: Uint8Array;
  /** The same for detections with this decisive step. */
  decisive: Uint8Array;
  /** `worst` of all descendants of the step. */
  worstBelow: Uint8Array;
  /** `decisive` of all descendants of the step. */
  decisiveBelow: Uint8Array;
  /** Detections of one step, the worst first. */
  at(step: number): readonly Detection[];
}

/** A detection belongs to its decisive step, and to the steps of all its spans. */
export function stepDetections(
  columns: TraceColumns,
  stepOf: ReadonlyMap<string, number>,
  detections: readonly Detection[],
): StepDetections {
  const worst = new Uint8Array(columns.total);
  const decisive = new Uint8Array(columns.total);
  const byStep = new Map<number, Detection[]>();
  for (const detection of [...detections].sort((a, b) => weightOf(b.severity) - weightOf(a.severity)))
    for (const step of stepsOf(detection, stepOf, columns.total)) {
      worst[step] = Math.max(worst[step]!, weightOf(detection.severity));
      byStep.set(step, [...(byStep.get(step) ?? []), detection]);
    }
  for (const { step, severity } of detections)
    if (step !== null && step < columns.total) decisive[step] = Math.max(decisive[step]!, weightOf(severity));
  return {
    ordered: inStepOrder(detections),
    worst,
    decisive,
    worstBelow: maximumBelow(columns, worst),
    decisiveBelow: maximumBelow(columns, decisive),
    at: (step) => byStep.get(step) ?? [],
  };
}

export function severityOf(weight: number): Severity | null {
  return SEVERITIES[weight - 1] ?? null;
}

export function weightOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity) + 1;
}

function stepsOf(detection: Detection, stepOf: ReadonlyMap<string, number>, total: number): Set<number> {
  const steps = new Set(detection.span_ids.flatMap((spanId) => stepOf.get(spanId) ?? []));
  if (detection.step !== null && detection.step < total) steps.add(detection.step);
  return steps;
}

function inStepOrder(detections: readonly Detection[]): Detection[] {
  const orderOf = ({ step }: Detection) => step ?? Number.MAX_SAFE_INTEGER;
  return [...detections].sort((a, b) => orderOf(a) - orderOf(b) || weightOf(b.severity) - weightOf(a.severity));
}

function maximumBelow({ parent, total }: TraceColumns, weights: Uint8Array): Uint8Array {
  const below = new Uint8Array(total);
  for (let step = total - 1; step >= 0; step--) {
    const parentStep = parent[step]!;
    if (parentStep >= 0) below[parentStep] = Math.max(below[parentStep]!, weights[step]!, below[step]!);
  }
  return below;
}
