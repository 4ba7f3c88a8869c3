import type { Detection } from '../../client/misstep-client.generated.ts';
import { percent } from './amounts.ts';

/** The confidence of a detection as text. A fact has a fixed confidence, which is not shown. */
export function confidenceText({ basis, confidence }: Pick<Detection, 'basis' | 'confidence'>): string {
  if (basis === 'fact') return 'fact: read directly from the trace';
  return `confidence ${percent(confidence)} · ${basis === 'calibrated' ? 'calibrated' : 'not calibrated'}`;
}
