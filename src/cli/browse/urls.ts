import { placeOfDetection } from '../../core/detection-place.ts';
import type { WebAddress } from '../../core/web-address.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';

/** The dashboard opens the trace at the decisive step of the detection, and shows the detection beside it. */
export function urlOfDetection(
  pages: WebAddress,
  {
    trace_id: traceId,
    span_ids: spanIds,
    step,
    detection_id: detectionId,
  }: Pick<DetectionRecord, 'trace_id' | 'span_ids' | 'step' | 'detection_id'>,
): string {
  return pages.trace(placeOfDetection({ traceId, detectionId, step, spanIds }));
}
