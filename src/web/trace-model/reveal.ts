import { ancestorsOf, type TraceColumns } from './columns.ts';
import { foldRepeats } from './fold-repeats.ts';
import type { RowState } from './visible-rows.ts';

/** The row state in which a step is visible: its ancestors, and the folds that contain it or an ancestor, are open. */
export function reveal(
  columns: TraceColumns,
  state: RowState,
  step: number,
  shown: Uint8Array | null = null,
): RowState {
  const collapsed = new Set(state.collapsed);
  const unfolded = new Set(state.unfolded);
  const path = ancestorsOf(columns, step);
  for (const ancestor of path) collapsed.delete(ancestor);
  for (const member of [...path, step]) {
    const fold = foldOf(columns, member, shown);
    if (fold >= 0) unfolded.add(fold);
  }
  return { collapsed, unfolded };
}

/** First step of the fold that contains a step; -1 if none does. */
function foldOf(columns: TraceColumns, step: number, shown: Uint8Array | null): number {
  const { parent, firstChild, firstRoot, nextSibling, repeat } = columns;
  if (repeat[step] === 0) return -1;
  const parentStep = parent[step]!;
  const siblings: number[] = [];
  for (
    let sibling = parentStep < 0 ? firstRoot : firstChild[parentStep]!;
    sibling >= 0;
    sibling = nextSibling[sibling]!
  )
    if (shown === null || shown[sibling] === 1) siblings.push(sibling);
  const index = siblings.indexOf(step);
  const run = foldRepeats(Int32Array.from(siblings), repeat).find(
    ({ from, period, times }) => from <= index && index < from + period * times,
  );
  return run === undefined || run.times === 1 ? -1 : siblings[run.from]!;
}
