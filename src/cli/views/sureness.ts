import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { percent } from './amounts.ts';

type Sure = Pick<DetectionRecord, 'confidence' | 'basis'>;

/** A cell of a table: `fact`, or `64 %`. The confidence of facts is fixed, so it tells nothing. */
export function surenessCell({ confidence, basis }: Sure): string {
  return basis === 'fact' ? 'fact' : percent(confidence);
}

/** `fact`, `confidence 64 %`, or `confidence 64 % (not calibrated)`. */
export function surenessText({ confidence, basis }: Sure): string {
  if (basis === 'fact') return 'fact';
  return `confidence ${percent(confidence)}${basis === 'uncalibrated' ? ' (not calibrated)' : ''}`;
}
