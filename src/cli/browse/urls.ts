import { placeOfDetection } from '../../core/detection-place.ts';
import type { WebAddress } from '../../core/web-address.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';

/** Opens the trace in the dashboard at the decisive step of the detection, with the detection next to it. */
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
