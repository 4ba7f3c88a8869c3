import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { scrollToPresent, scrollToShow } from '../../parts/row-viewport.ts';
import { treegridAction } from '../../parts/treegrid-keys.ts';
import { parentRow, rowOfStep } from '../../trace-model/visible-rows.ts';
import { expansion } from './step-row.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { GoOptions } from './trace-links.ts';
import type { TraceState } from './trace-state.ts';
import type { GridWindow } from './use-grid-window.ts';

export interface GridFocus {
  /** -1 if the selected step has no row. */
  activeRow: ReadonlySignal<number>;
  onKeyDown(event: KeyboardEvent): void;
  onClick(event: MouseEvent): void;
  onDblClick(event: MouseEvent): void;
}

type Go = (change: Partial<TraceAddress>, options?: GoOptions) => void;

/** The active row of the grid and its key and mouse handlers. Scrolls to a step that is selected elsewhere. */
export function useGridFocus(state: TraceState, grid: GridWindow, go: Go): GridFocus {
  /** First step of the focused fold, because a fold and its first member have the same step. */
  const focusedFold = useSignal(-1);
  const shownStep = useRef(-1);
  const activeRow = useComputed(() => {
    const { step, times } = state.rows.value;
    const fold = focusedFold.value;
    if (fold >= 0 && fold === state.selected.value) {
      const row = step.indexOf(fold);
      if (row >= 0 && times[row]! > 1) return row;
    }
    return rowOfStep(state.rows.value, state.selected.value);
  });
  const viewport = (height = grid.height.value) => ({
    scrollTop: grid.scroller.current?.scrollTop ?? 0,
    height,
    rowHeight: grid.rowHeight.value,
    total: state.rows.value.length,
  });

  useSignalEffect(() => {
    const step = state.selected.value;
    if (step < 0 || step === shownStep.current) return;
    shownStep.current = step;
    if (rowOfStep(state.rows.peek(), step) < 0) state.revealStep(step);
    const row = rowOfStep(state.rows.peek(), step);
    const element = grid.scroller.current;
    if (row < 0 || element === null) return;
    const currentViewport = viewport(element.clientHeight - (grid.head.current?.offsetHeight ?? 0));
    if (scrollToShow(row, currentViewport) === currentViewport.scrollTop) return;
    // The rows of a revealed step exist after the next render.
    requestAnimationFrame(() => element.scrollTo({ top: scrollToPresent(row, currentViewport) }));
  });

  const shownHeight = useRef(grid.height.value);
  // The grid becomes lower when the details of the step are loaded below it.
  useSignalEffect(() => {
    const height = grid.height.value;
    const row = activeRow.peek();
    const element = grid.scroller.current;
    const before = viewport(shownHeight.current);
    shownHeight.current = height;
    if (row < 0 || element === null || scrollToShow(row, before) !== before.scrollTop) return;
    element.scrollTop = scrollToShow(row, viewport(height));
  });

  function focusRow(row: number, options: GoOptions): void {
    const { step, times } = state.rows.value;
    focusedFold.value = times[row]! > 1 ? step[row]! : -1;
    shownStep.current = step[row]!;
    go({ spanId: state.spanOf(step[row]!), detectionId: null }, options);
    grid.scroller.current!.scrollTop = scrollToShow(row, viewport());
  }

  function setOpen(row: number, isOpen: boolean): void {
    const { step, times } = state.rows.value;
    const isFold = times[row]! > 1;
    if (isFold && step[row] === state.selected.value) focusedFold.value = step[row]!;
    state.setOpen(step[row]!, isFold, isOpen);
  }

  return {
    activeRow,
    onKeyDown(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target !== grid.scroller.current) return;
      const row = Math.max(0, activeRow.value);
      const { step, times, length } = state.rows.value;
      if (length === 0) return;
      const action = treegridAction(event.key, {
        row,
        total: length,
        pageRows: Math.max(1, Math.floor(grid.height.value / grid.rowHeight.value) - 1),
        isExpanded: expansion(state, step[row]!, times[row]! > 1),
        parentRow: parentRow(state.rows.value, row),
      });
      if (action === null) return;
      event.preventDefault();
      if (action.kind === 'focus') focusRow(action.row, { replace: true });
      else setOpen(row, action.kind === 'expand');
    },
    onClick(event) {
      const row = rowOfEvent(event);
      if (row < 0) return;
      const { step, times } = state.rows.value;
      const isTwisty = event.target instanceof Element && event.target.closest('[data-twisty="true"]') !== null;
      if (isTwisty) setOpen(row, !expansion(state, step[row]!, times[row]! > 1));
      else focusRow(row, {});
    },
    onDblClick(event) {
      const row = rowOfEvent(event);
      if (row < 0) return;
      const step = state.rows.value.step[row]!;
      const [from, to] = [state.columns.value.start[step]!, state.shownEnd.value[step]!];
      if (to > from) go({ window: { from: Math.floor(from), to: Math.ceil(to) } });
    },
  };
}

/** -1 outside the rows. */
function rowOfEvent(event: Event): number {
  const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
  return row === null ? -1 : Number(row.getAttribute('data-row'));
}
