import type { TraceColumns } from './columns.ts';

/** Microseconds from the start of the trace, both inclusive. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** The steps that a filter keeps. */
export interface FilteredSteps {
  /** 1 for each matching step and its ancestors, so that a match keeps its place in the tree. */
  shown: Uint8Array;
  /** Number of matching steps. */
  count: number;
}

export function filterSteps({ parent, total }: TraceColumns, matches: (step: number) => boolean): FilteredSteps {
  const shown = new Uint8Array(total);
  let count = 0;
  for (let step = total - 1; step >= 0; step--) {
    const isMatch = matches(step);
    if (isMatch) count++;
    if (!isMatch && shown[step] === 0) continue;
    shown[step] = 1;
    const parentStep = parent[step]!;
    if (parentStep >= 0) shown[parentStep] = 1;
  }
  return { shown, count };
}

/** Whether a step overlaps the window. A step without times is in no window. */
export function isInWindow(
  { start }: TraceColumns,
  shownEnd: Float64Array,
  step: number,
  { from, to }: TimeWindow,
): boolean {
  return start[step]! <= to && shownEnd[step]! >= from;
}
