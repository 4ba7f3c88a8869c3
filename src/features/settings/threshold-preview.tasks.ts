import type { Detection } from '../../core/detection.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { analyzeSpans } from '../analysis/analyze-spans.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { defineTask } from '../offload/task.ts';

/** Detections of one trace that fire under only one of two settings. */
export interface FiringChange {
  more: FiringRecord[];
  less: FiringRecord[];
}

export const judgeTwiceTask = defineTask<FiringChange>()<{
  tenantNo: number;
  traceId: string;
  isSettled: boolean;
  current: TenantDetection;
  proposed: TenantDetection;
}>({
  name: 'thresholds.judge-twice',
  kind: 'judge',
  async *run({ db, models }, { tenantNo, traceId, isSettled, current, proposed }) {
    const spans = mergeChunks(await readChunks(db, tenantNo, traceId), traceId);
    const judge = (tenant: TenantDetection) => analyzeSpans(spans, { isSettled, models, tenant }).result.detections;
    const before = judge(current);
    const after = judge(proposed);
    yield JSON.stringify({
      more: onlyIn(after, before).map((detection) => toRecord(traceId, detection)),
      less: onlyIn(before, after).map((detection) => toRecord(traceId, detection)),
    } satisfies FiringChange);
  },
});

/** Detections that fire in one list and not in the other; an observation does not fire. */
function onlyIn(some: readonly Detection[], others: readonly Detection[]): Detection[] {
  const known = new Set(others.filter(fires).map(identityOf));
  return some.filter((detection) => fires(detection) && !known.has(identityOf(detection)));
}

function fires({ severity }: Detection): boolean {
  return severity !== 'observation';
}

function identityOf({ type, subtype, spanIds }: Detection): string {
  return `${type} ${subtype} ${spanIds[0] ?? ''}`;
}

function toRecord(traceId: string, { type, subtype, severity, confidence }: Detection): FiringRecord {
  return { trace_id: traceId, detection_type: type, subtype, severity, confidence };
}

export interface FiringRecord {
  trace_id: string;
  detection_type: string;
  subtype: string;
  severity: string;
  confidence: number;
}
