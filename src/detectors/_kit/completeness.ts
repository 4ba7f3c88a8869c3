import type { Trace } from '../../core/trace.ts';

/**
 * Whether the trace shows how the run ended: it has settled, and the records after its last step were not rejected. Only
 * then did what its end lacks not happen, such as an answer.
 */
export function hasKnownEnd({ isSettled, rejectedRecords }: Trace): boolean {
  return isSettled && rejectedRecords?.isEndMissing !== true;
}

/** Whether no record of the run was rejected. Only then did what the trace lacks not happen so far. */
export function isComplete({ rejectedRecords }: Trace): boolean {
  return rejectedRecords === undefined;
}

/** Whether the run has ended and no record of it was rejected. */
export function isWhole(trace: Trace): boolean {
  return trace.isSettled && isComplete(trace);
}

/** Whether no record after this step was rejected. */
export function isCompleteAfter({ rejectedRecords }: Trace, step: number): boolean {
  return rejectedRecords === undefined || rejectedRecords.afterStep < step;
}
