import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from './memoize.ts';

/**
 * Whether the trace shows how the run ended: it has settled, the records after its last step were not rejected, and its
 * last answer was recorded. Only then did what its end lacks not happen, such as an answer.
 */
export function hasKnownEnd(trace: Trace): boolean {
  return trace.isSettled && trace.rejectedRecords?.isEndMissing !== true && !isLastAnswerUnrecorded(trace);
}

/**
 * Whether the run ends with a model call, and the sender records no answers: it may be set up not to send contents. A
 * coding agent reports the end of its session by itself.
 */
const isLastAnswerUnrecorded = memoizeByRef((trace: Trace): boolean => {
  if (trace.codingSession !== undefined) return false;
  if (trace.finalOutput !== null && trace.finalOutput !== '') return false;
  const last = trace.steps.findLast(({ kind }) => kind === 'llm' || kind === 'tool' || kind === 'message');
  if (last?.kind !== 'llm' || last.status === 'error') return false;
  return !trace.steps.some(
    ({ kind, output, outputMessages }) => kind === 'llm' && (output.trim() !== '' || outputMessages.length > 0),
  );
});

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

/**
 * ` in a row`, if the steps from `first` on are all recorded: between other calls, rejected records may contain further
 * ones.
 */
export function inARow(trace: Trace, first: number): string {
  return isCompleteAfter(trace, first) ? ' in a row' : '';
}

/** `recorded ` for a statement about all calls of a run some of whose records were rejected; else empty. */
export function recordedWord(trace: Trace): string {
  return isComplete(trace) ? '' : 'recorded ';
}
