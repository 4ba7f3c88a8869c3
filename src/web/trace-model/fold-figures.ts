import { STATUS_ERROR, type TraceColumns } from './columns.ts';

/** Sums over the members of a fold. */
export interface FoldFigures {
  members: Int32Array;
  /** Microseconds, as far as members have an end. */
  duration: number;
  tokens: number;
  errors: number;
  /** Weight of the worst detection on or below a member. */
  worst: number;
  /** Of the worst detection that a member decides. */
  decisive: number;
}

interface FoldSource {
  columns: TraceColumns;
  worst: Uint8Array;
  decisive: Uint8Array;
  worstBelow: Uint8Array;
  /** Steps that the filter keeps; null for all. */
  shown: Uint8Array | null;
}

/** @param count members, starting with `first` */
export function foldFigures(
  { columns, worst, decisive, worstBelow, shown }: FoldSource,
  first: number,
  count: number,
): FoldFigures {
  const members = new Int32Array(count);
  const figures = { members, duration: 0, tokens: 0, errors: 0, worst: 0, decisive: 0 };
  for (let step = first, at = 0; step >= 0 && at < count; step = columns.nextSibling[step]!) {
    if (shown?.[step] === 0) continue;
    members[at++] = step;
    const duration = columns.end[step]! - columns.start[step]!;
    if (!Number.isNaN(duration)) figures.duration += duration;
    figures.tokens += columns.tokens[step]!;
    if (columns.status[step] === STATUS_ERROR) figures.errors++;
    figures.worst = Math.max(figures.worst, worst[step]!, worstBelow[step]!);
    figures.decisive = Math.max(figures.decisive, decisive[step]!);
  }
  return figures;
}
