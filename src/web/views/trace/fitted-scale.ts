import { type IdleGap, type TimeScale, timeScale } from '../../trace-model/time-scale.ts';
import type { TraceState } from './trace-state.ts';

export interface TimeRange {
  from: number;
  to: number;
}

/** The range does not change while the rows use at least this part of it, so that bars do not move at every scroll. */
const MIN_USE = 0.4;
const MARGIN = 0.02;

/** The time range that fits the steps of the rendered rows; the current one if it still fits. */
export function fitRange(rows: TimeRange | null, current: TimeRange | null): TimeRange | null {
  if (rows === null) return current;
  const fits = current !== null && current.from <= rows.from && rows.to <= current.to;
  if (fits && rows.to - rows.from >= (current.to - current.from) * MIN_USE) return current;
  const margin = (rows.to - rows.from) * MARGIN;
  return { from: Math.max(0, rows.from - margin), to: rows.to + margin };
}

/**
 * The time range of the steps of some rows; null if none has times. A row with children counts only if all rows are
 * visible, otherwise the root would make every other bar tiny.
 */
export function timesOfRows(state: TraceState, first: number, last: number): TimeRange | null {
  const { step, level, length } = state.rows.value;
  const { start } = state.columns.value;
  const ends = state.shownEnd.value;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = first; row < last; row++) {
    const stepIndex = step[row]!;
    const isParent = row + 1 < length && level[row + 1]! > level[row]!;
    if (isParent && last - first < length) continue;
    if (Number.isNaN(start[stepIndex]!)) continue;
    from = Math.min(from, start[stepIndex]!);
    to = Math.max(to, ends[stepIndex]!);
  }
  return from > to ? null : { from, to };
}

export function scaleOf({ from, to }: TimeRange, gaps: readonly IdleGap[]): TimeScale {
  return timeScale(from, to, gaps);
}
