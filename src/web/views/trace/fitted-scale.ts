import { type IdleGap, type TimeScale, timeScale } from '../../trace-model/time-scale.ts';
import type { TraceState } from './trace-state.ts';

export interface TimeRange {
  from: number;
  to: number;
}

/** The range stays while the rows use at least this part of it, so that bars do not move at every scrolled row. */
const MIN_USE = 0.4;
const MARGIN = 0.02;

/** The range of the time axis that fits the steps in the drawn rows; the present one where it still serves. */
export function fitRange(rows: TimeRange | null, present: TimeRange | null): TimeRange | null {
  if (rows === null) return present;
  const fits = present !== null && present.from <= rows.from && rows.to <= present.to;
  if (fits && rows.to - rows.from >= (present.to - present.from) * MIN_USE) return present;
  const margin = (rows.to - rows.from) * MARGIN;
  return { from: Math.max(0, rows.from - margin), to: rows.to + margin };
}

/**
 * The time that the steps of some rows take; null where none has a time. A row with others below it counts only where all
 * rows are visible: the run itself would make every step a sliver.
 */
export function timesOfRows(state: TraceState, first: number, last: number): TimeRange | null {
  const { step, level, length } = state.rows.value;
  const { start } = state.columns.value;
  const ends = state.shownEnd.value;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = first; row < last; row++) {
    const at = step[row]!;
    const isAround = row + 1 < length && level[row + 1]! > level[row]!;
    if (isAround && last - first < length) continue;
    if (Number.isNaN(start[at]!)) continue;
    from = Math.min(from, start[at]!);
    to = Math.max(to, ends[at]!);
  }
  return from > to ? null : { from, to };
}

export function scaleOf({ from, to }: TimeRange, gaps: readonly IdleGap[]): TimeScale {
  return timeScale(from, to, gaps);
}
