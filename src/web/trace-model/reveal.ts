import { ancestorsOf, type TraceColumns } from './columns.ts';
import { foldRepeats } from './fold-repeats.ts';
import type { RowState } from './visible-rows.ts';

/** The state in which this step is visible: its ancestors, and the folds that contain it or one of them, are open. */
export function reveal(
  columns: TraceColumns,
  state: RowState,
  step: number,
  shown: Uint8Array | null = null,
): RowState {
  const collapsed = new Set(state.collapsed);
  const unfolded = new Set(state.unfolded);
  const path = ancestorsOf(columns, step);
  for (const above of path) collapsed.delete(above);
  for (const member of [...path, step]) {
    const fold = foldOf(columns, member, shown);
    if (fold >= 0) unfolded.add(fold);
  }
  return { collapsed, unfolded };
}

/** First step of the fold that holds this step; -1 where none does. */
function foldOf(columns: TraceColumns, step: number, shown: Uint8Array | null): number {
  const { parent, firstChild, firstRoot, nextSibling, repeat } = columns;
  if (repeat[step] === 0) return -1;
  const above = parent[step]!;
  const siblings: number[] = [];
  for (let at = above < 0 ? firstRoot : firstChild[above]!; at >= 0; at = nextSibling[at]!)
    if (shown === null || shown[at] === 1) siblings.push(at);
  const place = siblings.indexOf(step);
  const run = foldRepeats(Int32Array.from(siblings), repeat).find(
    ({ from, period, times }) => from <= place && place < from + period * times,
  );
  return run === undefined || run.times === 1 ? -1 : siblings[run.from]!;
}
