import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { percent } from './amounts.ts';

type WithConfidence = Pick<DetectionRecord, 'confidence' | 'basis'>;

/** A table cell: `fact`, or `64 %`. The confidence of facts is fixed, so it is not shown. */
export function confidenceCell({ confidence, basis }: WithConfidence): string {
  return basis === 'fact' ? 'fact' : percent(confidence);
}

/** `fact`, `confidence 64 %`, or `confidence 64 % (not calibrated)`. */
export function confidenceWithEvidence({ confidence, basis }: WithConfidence): string {
  if (basis === 'fact') return 'fact';
  return `confidence ${percent(confidence)}${basis === 'uncalibrated' ? ' (not calibrated)' : ''}`;
}
