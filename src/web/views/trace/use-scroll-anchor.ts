import { useLayoutEffect, useRef } from 'preact/hooks';
import { ancestorsOf } from '../../trace-model/columns.ts';
import { rowOfStep } from '../../trace-model/visible-rows.ts';
import type { TraceState } from './trace-state.ts';

/**
 * Keeps one row at the same place on the screen when rows appear or disappear: the selected row if it is visible,
 * otherwise the first visible one. At the end of a running trace the grid stays at the end.
 */
export function useScrollAnchor(
  state: TraceState,
  scroller: { current: HTMLDivElement | null },
  rowHeight: number,
): void {
  const previousRows = useRef(state.rows.value);
  const rows = state.rows.value;
  useLayoutEffect(() => {
    const [oldRows, element] = [previousRows.current, scroller.current];
    previousRows.current = rows;
    if (oldRows === rows || element === null) return;
    const wasAtEnd = element.scrollTop > 0 && element.scrollTop + element.clientHeight >= oldRows.length * rowHeight;
    if (state.isRunning.peek() && wasAtEnd) {
      element.scrollTop = element.scrollHeight;
      return;
    }
    const first = Math.ceil(element.scrollTop / rowHeight);
    const selected = rowOfStep(oldRows, state.selected.peek());
    const isSelectedVisible = selected >= first && selected * rowHeight < element.scrollTop + element.clientHeight;
    const anchor = isSelectedVisible ? selected : Math.min(first, oldRows.length - 1);
    const step = oldRows.step[anchor];
    if (step === undefined) return;
    const target = [step, ...ancestorsOf(state.columns.peek(), step).reverse()].find(
      (candidate) => rowOfStep(rows, candidate) >= 0,
    );
    if (target !== undefined) element.scrollTop += (rowOfStep(rows, target) - anchor) * rowHeight;
  }, [rows, rowHeight]);
}
