import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import type { ToolUse } from '../calls/calls.ts';

/** Shorter pauses occur between any two steps of a program. */
const MIN_PAUSE_MS = 5_000;
/** Longest pause in relation to the shortest one. */
const MAX_SPREAD = 1.5;
const MIN_PAUSES = 2;

/**
 * Whether a program waited between these calls: the trace records idle time between each two of them, about the same each
 * time, and a model step in between, so that the time is not that of a step that was not recorded.
 */
export function arePaced(trace: Trace, calls: readonly ToolUse[]): boolean {
  const pauses = calls.slice(1).map((call, at) => pauseBetween(trace, calls[at]!, call));
  const shortest = Math.min(...pauses);
  return pauses.length >= MIN_PAUSES && shortest >= MIN_PAUSE_MS && Math.max(...pauses) <= MAX_SPREAD * shortest;
}

/** A call that takes this long by itself and does no other work mostly waits. */
const MIN_WAIT_MS = 30_000;
/** Longest such call in relation to the shortest one. */
const MAX_WAIT_SPREAD = 1.25;
const MIN_WAITS = 3;

/** Whether each of these calls waits by itself: all take long and about as long, and no step runs inside them. */
export function areSlowPolls(trace: Trace, calls: readonly ToolUse[]): boolean {
  if (calls.length < MIN_WAITS || calls.some(({ command }) => command !== null)) return false;
  const durations = calls.map(({ step }) => {
    const { kind, startMs, endMs } = trace.steps[step]!;
    const isLeaf = kind === 'tool' && trace.steps[step + 1]?.parent !== step;
    return isLeaf && startMs !== null && endMs !== null ? endMs - startMs : 0;
  });
  const shortest = Math.min(...durations);
  return shortest >= MIN_WAIT_MS && Math.max(...durations) <= MAX_WAIT_SPREAD * shortest;
}

/** Milliseconds between two calls in which no recorded step ran; 0 if that is not known. */
function pauseBetween(trace: Trace, one: ToolUse, other: ToolUse): number {
  const { steps } = trace;
  const [before, after] = [steps[one.step]!, steps[other.step]!];
  if (before.endMs === null || after.startMs === null) return 0;
  const between = steps.slice(one.step + 1, other.step).filter(({ index }) => !parentsOf(trace).has(index));
  if (!between.some(({ kind }) => kind === 'llm')) return 0;
  let idleMs = 0;
  let reached = before.endMs;
  for (const { startMs, endMs } of [...between.sort((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0)), after]) {
    if (startMs === null || endMs === null) return 0;
    idleMs += Math.max(0, startMs - reached);
    reached = Math.max(reached, endMs);
  }
  return idleMs;
}

const parentsOf = memoizeByRef(
  ({ steps }: Trace): ReadonlySet<number | null> => new Set(steps.map(({ parent }) => parent)),
);
