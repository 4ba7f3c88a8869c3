import type { WebAddress } from '../../core/web-address.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';

/** The dashboard opens the trace at the first span of the detection, and shows the detection beside it. */
export function urlOfDetection(
  pages: WebAddress,
  {
    trace_id: traceId,
    span_ids,
    detection_id: detectionId,
  }: Pick<DetectionRecord, 'trace_id' | 'span_ids' | 'detection_id'>,
): string {
  return pages.trace({ traceId, spanId: span_ids[0] ?? null, detectionId });
}
