import { STATUS_ERROR, type TraceColumns } from './columns.ts';

/** Totals of the members of a fold. */
export interface FoldTotals {
  members: Int32Array;
  /** Microseconds; members without an end count as 0. */
  duration: number;
  tokens: number;
  errors: number;
  /** Weight of the worst detection that involves a member or a step below it. */
  worst: number;
  /** Weight of the worst detection with its decisive step at or below a member. */
  decisive: number;
}

interface FoldSource {
  columns: TraceColumns;
  worst: Uint8Array;
  decisive: Uint8Array;
  worstBelow: Uint8Array;
  decisiveBelow: Uint8Array;
  /** Steps that the filter keeps; null for all. */
  shown: Uint8Array | null;
}

/** @param count members, starting with `first` */
export function foldTotals(
  { columns, worst, decisive, worstBelow, decisiveBelow, shown }: FoldSource,
  first: number,
  count: number,
): FoldTotals {
  const members = new Int32Array(count);
  const totals = { members, duration: 0, tokens: 0, errors: 0, worst: 0, decisive: 0 };
  for (let step = first, index = 0; step >= 0 && index < count; step = columns.nextSibling[step]!) {
    if (shown?.[step] === 0) continue;
    members[index++] = step;
    const duration = columns.end[step]! - columns.start[step]!;
    if (!Number.isNaN(duration)) totals.duration += duration;
    totals.tokens += columns.tokens[step]!;
    if (columns.status[step] === STATUS_ERROR) totals.errors++;
    totals.worst = Math.max(totals.worst, worst[step]!, worstBelow[step]!);
    totals.decisive = Math.max(totals.decisive, decisive[step]!, decisiveBelow[step]!);
  }
  return totals;
}
