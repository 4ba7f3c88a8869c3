import type { TraceColumns } from './columns.ts';

/**
 * Where the bar of each step ends. A step without an end runs on in a trace that is running; in one that has ended it
 * reaches to the latest time known below it. NaN for a step without times.
 */
export function shownEnds({ start, end, parent, total, lastTime }: TraceColumns, isRunning: boolean): Float64Array {
  const shown = new Float64Array(total);
  const below = new Float64Array(total).fill(Number.NaN);
  for (let step = total - 1; step >= 0; step--) {
    const open = isRunning ? lastTime : maxTime(start[step]!, below[step]!);
    shown[step] = Number.isNaN(start[step]!) ? Number.NaN : Number.isNaN(end[step]!) ? open : end[step]!;
    const above = parent[step]!;
    if (above >= 0) below[above] = maxTime(below[above]!, maxTime(shown[step]!, below[step]!));
  }
  return shown;
}

/** NaN counts as "no time". */
function maxTime(one: number, other: number): number {
  return one > other || Number.isNaN(other) ? one : other;
}
