import type { Message, Trace } from '../../core/trace.ts';
import type { TimeLimit } from '../../detectors/_runner/time-limit.ts';
import { runWithTimeLimit } from './run-with-time-limit.ts';

/** After this no further detector starts; including the running one this ends before a worker counts as stuck. */
const TRACE_MS = 20_000;
/** A thousand times what a detector needs for a small trace, so that only broken detectors are interrupted. */
const MIN_MS = 5_000;
/** All detectors together need about a tenth of that. */
const MS_PER_MILLION_CHARACTERS = 1_000;
const MAX_MS = 8_000;

/** Time limit of the detectors for this trace: proportional to the length of its texts. */
export function timeLimitOf(trace: Trace): TimeLimit {
  const grown = MIN_MS + (charactersOf(trace) / 1e6) * MS_PER_MILLION_CHARACTERS;
  const detectorMs = Math.min(MAX_MS, grown);
  return { now: () => performance.now(), traceMs: TRACE_MS, detectorMs, within: runWithTimeLimit };
}

function charactersOf(trace: Trace): number {
  const sum = (messages: readonly Message[]) => messages.reduce((total, { content }) => total + content.length, 0);
  return trace.steps.reduce(
    (total, { input, output, inputMessages, outputMessages }) =>
      total + input.length + output.length + sum(inputMessages) + sum(outputMessages),
    0,
  );
}
