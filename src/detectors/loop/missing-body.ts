import type { CallAdvice } from '../_readings/conduct/call-advice.ts';
import { missingBodyText } from '../_readings/conduct/unwritten-functions.ts';

/** One sentence with a leading space if the code of the call leaves a function without a body; else empty. */
export function missingBodyOf({ obstacle }: CallAdvice): string {
  return obstacle.kind === 'stub' ? missingBodyText(obstacle.missing) : '';
}
