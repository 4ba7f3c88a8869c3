import type { TraceColumns } from './columns.ts';

/** Microseconds from the start of the trace, both included. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** Steps that a filter keeps. */
export interface KeptSteps {
  /** 1 for each step that matches and for its ancestors, so that a match keeps its place in the tree. */
  shown: Uint8Array;
  /** Steps that match. */
  count: number;
}

export function keepMatches({ parent, total }: TraceColumns, matches: (step: number) => boolean): KeptSteps {
  const shown = new Uint8Array(total);
  let count = 0;
  for (let step = total - 1; step >= 0; step--) {
    const isMatch = matches(step);
    if (isMatch) count++;
    if (!isMatch && shown[step] === 0) continue;
    shown[step] = 1;
    const above = parent[step]!;
    if (above >= 0) shown[above] = 1;
  }
  return { shown, count };
}

/** Whether a step runs at some time in the window. A step without times belongs to no window. */
export function isInWindow(
  { start }: TraceColumns,
  shownEnd: Float64Array,
  step: number,
  { from, to }: TimeWindow,
): boolean {
  return start[step]! <= to && shownEnd[step]! >= from;
}
