/** Part of the axis that a duration beside its bar needs. */
const LABEL_PART = 0.12;

/** Where the duration of a bar is written: beside its end, before its start, or inside of it. */
export type BarLabelPlace = 'after' | 'before' | 'inside';

/** @param from start of the bar on the axis, from 0 to 1 @param to its end */
export function barLabelPlace(from: number, to: number): BarLabelPlace {
  if (to <= 1 - LABEL_PART) return 'after';
  return from >= LABEL_PART ? 'before' : 'inside';
}
