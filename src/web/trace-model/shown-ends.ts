import type { TraceColumns } from './columns.ts';

/**
 * The end of the bar of each step. A step without an end extends to the end of a running trace, or to the latest time
 * below it in a finished trace. NaN for a step without times.
 */
export function shownEnds({ start, end, parent, total, lastTime }: TraceColumns, isRunning: boolean): Float64Array {
  const shown = new Float64Array(total);
  const latestBelow = new Float64Array(total).fill(Number.NaN);
  for (let step = total - 1; step >= 0; step--) {
    const openEnd = isRunning ? lastTime : maxTime(start[step]!, latestBelow[step]!);
    shown[step] = Number.isNaN(start[step]!) ? Number.NaN : Number.isNaN(end[step]!) ? openEnd : end[step]!;
    const parentStep = parent[step]!;
    if (parentStep >= 0)
      latestBelow[parentStep] = maxTime(latestBelow[parentStep]!, maxTime(shown[step]!, latestBelow[step]!));
  }
  return shown;
}

/** NaN means "no time". */
function maxTime(a: number, b: number): number {
  return a > b || Number.isNaN(b) ? a : b;
}
