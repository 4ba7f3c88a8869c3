import type { Detection } from './detection.ts';
import type { TracePlace } from './web-address.ts';

/** What a link to a detection is made of. */
export interface LinkedDetection extends Pick<Detection, 'step' | 'spanIds'> {
  traceId: string;
  detectionId: string;
}

/**
 * The place that a link to a detection opens. The page opens a detection at its decisive step, so the link names a span
 * only if there is no such step: the first one.
 */
export function placeOfDetection({ traceId, detectionId, step, spanIds }: LinkedDetection): TracePlace {
  return { traceId, spanId: step === null ? (spanIds[0] ?? null) : null, detectionId };
}
