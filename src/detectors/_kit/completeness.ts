import type { Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { withEnclosing } from './enclosing-steps.ts';
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
 * coding agent reports the end of its session by itself. The node of a graph records its answer in the graph state.
 */
const isLastAnswerUnrecorded = memoizeByRef((trace: Trace): boolean => {
  if (trace.codingSession !== undefined) return false;
  if (trace.finalOutput !== null && trace.finalOutput !== '') return false;
  const last = trace.steps.findLast(({ kind }) => kind === 'llm' || kind === 'tool' || kind === 'message');
  if (last?.kind !== 'llm' || last.status === 'error' || writesToState(trace, last.index)) return false;
  return !trace.steps.some(
    ({ kind, output, outputMessages }) => kind === 'llm' && (output.trim() !== '' || outputMessages.length > 0),
  );
});

/** Whether the state after a step, or after a step that contains it, has a text that no earlier state of the run has. */
function writesToState(trace: Trace, step: number): boolean {
  const places = new Set(withEnclosing(trace, step).map(({ index }) => index));
  const states = [...trace.states].sort((a, b) => a.sequence - b.sequence);
  const at = states.findLastIndex((snapshot) => places.has(snapshot.step));
  if (at === -1) return false;
  const earlier = new Set(states.slice(0, at).flatMap(({ state }) => textsIn(state)));
  return textsIn(states[at]!.state).some((text) => !earlier.has(text));
}

/** Shorter values are names, flags and routes. */
const MIN_TEXT_LENGTH = 20;
const MAX_DEPTH = 8;

function textsIn(value: Json, depth = 0): string[] {
  if (typeof value === 'string') return value.trim().length < MIN_TEXT_LENGTH ? [] : [value];
  if (value === null || typeof value !== 'object' || depth === MAX_DEPTH) return [];
  return Object.values(value).flatMap((each) => textsIn(each as Json, depth + 1));
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
