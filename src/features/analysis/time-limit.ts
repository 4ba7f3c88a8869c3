import type { Message, Trace } from '../../core/trace.ts';
import type { TimeLimit } from '../../detectors/_kit/time-limit.ts';
import { runWithin } from './cut-off.ts';

/** After this no further detector starts; with what is under way it ends before a worker is taken for stuck. */
const TRACE_MS = 20_000;
/** A thousand times what a detector needs for a small trace, so that only what is broken is cut off. */
const LEAST_MS = 5_000;
/** All detectors together need about a tenth of that. */
const MS_PER_MILLION_CHARACTERS = 1_000;
const MOST_MS = 8_000;

/** How long the detectors may take over this trace: the longer its texts, the longer. */
export function timeLimitOf(trace: Trace): TimeLimit {
  const grown = LEAST_MS + (charactersOf(trace) / 1e6) * MS_PER_MILLION_CHARACTERS;
  const detectorMs = Math.min(MOST_MS, grown);
  return { now: () => performance.now(), traceMs: TRACE_MS, detectorMs, within: runWithin };
}

function charactersOf(trace: Trace): number {
  const sum = (messages: readonly Message[]) => messages.reduce((total, { content }) => total + content.length, 0);
  return trace.steps.reduce(
    (total, { input, output, inputMessages, outputMessages }) =>
      total + input.length + output.length + sum(inputMessages) + sum(outputMessages),
    0,
  );
}
