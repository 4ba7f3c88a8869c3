import type { Detection } from '../../client/misstep-client.generated.ts';
import { percent } from './amounts.ts';

/** How sure a detection is, in words: the confidence of a fact is fixed, so it says nothing. */
export function surenessText({ basis, confidence }: Pick<Detection, 'basis' | 'confidence'>): string {
  if (basis === 'fact') return 'fact: it can be read in the trace';
  return `${percent(confidence)} sure · ${basis === 'calibrated' ? 'calibrated' : 'not calibrated'}`;
}
