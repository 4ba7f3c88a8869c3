import type { Trace } from '../../../core/trace.ts';
import { toolUses } from '../calls/calls.ts';

/**
 * Whether a call worked after one step and up to another: between two replies, it shows that the message between them was
 * handled.
 */
export function workedBetween(trace: Trace, from: number, to: number): boolean {
  return toolUses(trace).some(({ step, failure }) => step > from && step <= to && failure === null);
}
