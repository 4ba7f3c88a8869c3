import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { counted } from '../../parts/amounts.ts';
import { drawnRows, scrollToPresent, scrollToShow } from '../../parts/row-window.ts';
import { treegridAction } from '../../parts/treegrid-keys.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { density } from '../../shell/preferences.ts';
import { ancestorsOf, nameOf } from '../../trace-model/columns.ts';
import { parentRow, rowOfStep } from '../../trace-model/visible-rows.ts';
import { fitRange, scaleOf, type TimeRange, timesOfRows } from './fitted-scale.ts';
import styles from './step-grid.module.css';
import { expansion, StepRow } from './step-row.tsx';
import { TimeAxis } from './time-axis.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { GoOptions } from './trace-links.ts';
import type { TraceState } from './trace-state.ts';

interface StepGridProps {
  state: TraceState;
  /** `timeline` gives most of the width to the bars. */
  layout: 'tree' | 'timeline';
  go(change: Partial<TraceAddress>, options?: GoOptions): void;
}

const ROW_HEIGHT = { dense: 28, roomy: 36 } as const;
const PATH_NAMES = 5;

/**
 * The steps as a tree with their bars: one grid, one scroll position, and only the rows that are visible. The grid has the
 * focus and names its active row, so that the focus stays when a row leaves the page. Its rows are placed absolutely, which
 * table rows cannot be.
 */
export function StepGrid({ state, layout, go }: StepGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(600);
  /** First step of the fold that has the focus: a fold and its first member are the same step. */
  const focusedFold = useSignal(-1);
  const rowPixels = useComputed(() => ROW_HEIGHT[density.value]);
  const rowHeight = rowPixels.value;
  const viewport = () => ({
    scrollTop: scroller.current?.scrollTop ?? 0,
    height: height.value,
    rowHeight,
    total: state.rows.value.length,
  });

  const activeRow = useComputed(() => {
    const { step, times } = state.rows.value;
    const fold = focusedFold.value;
    if (fold >= 0 && fold === state.selected.value) {
      const row = step.indexOf(fold);
      if (row >= 0 && times[row]! > 1) return row;
    }
    return rowOfStep(state.rows.value, state.selected.value);
  });
  const range = useComputed(() =>
    drawnRows({
      scrollTop: scrollTop.value,
      height: height.value,
      rowHeight: rowPixels.value,
      total: state.rows.value.length,
    }),
  );

  const fitted = useRef<TimeRange | null>(null);
  const scale = useComputed(() => {
    const window = state.window.value;
    if (window !== null) return scaleOf(window, state.gaps.value);
    const first = Math.floor(scrollTop.value / rowPixels.value);
    const last = Math.min(state.rows.value.length, first + Math.ceil(height.value / rowPixels.value));
    if (!state.isScaleLocked.value) fitted.current = fitRange(timesOfRows(state, first, last), fitted.current);
    return fitted.current === null ? state.runScale.value : scaleOf(fitted.current, state.gaps.value);
  });

  useLayoutEffect(() => {
    const element = scroller.current!;
    const observer = new ResizeObserver(() => {
      height.value = Math.max(rowHeight, element.clientHeight - (head.current?.offsetHeight ?? 0));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [rowHeight]);

  useKeptPlace(state, scroller, rowHeight);

  /** Shows a step that something other than this grid selected. */
  const shownStep = useRef(-1);
  useSignalEffect(() => {
    const step = state.selected.value;
    if (step < 0 || step === shownStep.current) return;
    shownStep.current = step;
    if (rowOfStep(state.rows.peek(), step) < 0) state.revealStep(step);
    const row = rowOfStep(state.rows.peek(), step);
    const element = scroller.current;
    if (row < 0 || element === null) return;
    const now = { ...viewport(), height: element.clientHeight - (head.current?.offsetHeight ?? 0) };
    if (scrollToShow(row, now) === now.scrollTop) return;
    // The rows of a revealed step are in the page after the next render.
    requestAnimationFrame(() => element.scrollTo({ top: scrollToPresent(row, now) }));
  });

  function focusRow(row: number, options: GoOptions): void {
    const { step, times } = state.rows.value;
    focusedFold.value = times[row]! > 1 ? step[row]! : -1;
    shownStep.current = step[row]!;
    go({ spanId: state.spanOf(step[row]!), detectionId: null }, options);
    const element = scroller.current!;
    element.scrollTop = scrollToShow(row, viewport());
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== scroller.current) return;
    const row = Math.max(0, activeRow.value);
    const { step, times, length } = state.rows.value;
    if (length === 0) return;
    const isFold = times[row]! > 1;
    const action = treegridAction(event.key, {
      row,
      total: length,
      pageRows: Math.max(1, Math.floor(height.value / rowHeight) - 1),
      isExpanded: expansion(state, step[row]!, isFold),
      parentRow: parentRow(state.rows.value, row),
    });
    if (action === null) return;
    event.preventDefault();
    if (action.kind === 'focus') focusRow(action.row, { replace: true });
    else setOpen(row, action.kind === 'expand');
  }

  function setOpen(row: number, isOpen: boolean): void {
    const { step, times } = state.rows.value;
    const isFold = times[row]! > 1;
    if (isFold && step[row] === state.selected.value) focusedFold.value = step[row]!;
    state.setOpen(step[row]!, isFold, isOpen);
  }

  function rowOfEvent(event: Event): number {
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    return row === null ? -1 : Number(row.getAttribute('data-row'));
  }

  function onClick(event: MouseEvent): void {
    const row = rowOfEvent(event);
    if (row < 0) return;
    const { step, times } = state.rows.value;
    const isTwisty = event.target instanceof Element && event.target.closest('[data-twisty="true"]') !== null;
    if (isTwisty) setOpen(row, !expansion(state, step[row]!, times[row]! > 1));
    else focusRow(row, {});
  }

  function onDoubleClick(event: MouseEvent): void {
    const row = rowOfEvent(event);
    if (row < 0) return;
    const step = state.rows.value.step[row]!;
    const [from, to] = [state.columns.value.start[step]!, state.shownEnd.value[step]!];
    if (to > from) go({ window: { from: Math.floor(from), to: Math.ceil(to) } });
  }

  const { from, to } = range.value;
  const total = state.rows.value.length;
  const slots = Math.max(1, to - from);
  const isActiveDrawn = activeRow.value >= from && activeRow.value < to;
  return (
    <div
      ref={scroller}
      role="treegrid"
      tabIndex={0}
      aria-label={`${counted(state.columns.value.total, 'step')} of the run`}
      aria-rowcount={total + 1}
      aria-colcount={3}
      aria-multiselectable="false"
      {...(isActiveDrawn ? { 'aria-activedescendant': `step-row-${activeRow.value}` } : {})}
      class={`${styles.grid} ${styles[layout]}`}
      onScroll={({ currentTarget }) => {
        scrollTop.value = currentTarget.scrollTop;
      }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDblClick={onDoubleClick}
    >
      <div role="rowgroup" class={styles.head} ref={head}>
        <div role="row" class={styles.titles} aria-rowindex={1}>
          <span role="columnheader" class={styles.step}>
            Step
            <Path state={state} row={Math.floor(scrollTop.value / rowHeight)} />
          </span>
          <span role="columnheader" class={styles.duration}>
            Duration
          </span>
          <span role="columnheader" class={styles.axis}>
            <span class="visually-hidden">Time</span>
            <TimeAxis scale={scale.value} />
          </span>
        </div>
      </div>
      <div role="rowgroup" class={styles.body} style={{ height: `${Math.max(1, total) * rowHeight}px` }}>
        {Array.from({ length: to - from }, (_, at) => from + at).map((row) => (
          <StepRow
            key={row % slots}
            state={state}
            row={row}
            top={row * rowHeight}
            isSelected={row === activeRow.value}
            scale={scale.value}
          />
        ))}
      </div>
    </div>
  );
}

/** The steps around the first visible row, which may be far above. */
function Path({ state, row }: { state: TraceState; row: number }) {
  const columns = state.columns.value;
  const step = state.rows.value.step[Math.min(row, state.rows.value.length - 1)] ?? -1;
  const above = step < 0 ? [] : ancestorsOf(columns, step);
  const names = above.map((at) => visibleText(nameOf(columns, at).slice(0, 80)) || '(unnamed)');
  const shown = names.length > PATH_NAMES ? [names[0]!, '…', ...names.slice(1 - PATH_NAMES)] : names;
  return (
    <bdi class={styles.path} aria-hidden="true">
      {row > 0 && shown.length > 0 && `in ${shown.join(' › ')}`}
    </bdi>
  );
}

/**
 * Keeps what one looks at in its place when rows appear or disappear: the selected row, else the first visible one. At the
 * end of a running trace the grid stays at the end.
 */
function useKeptPlace(state: TraceState, scroller: { current: HTMLDivElement | null }, rowHeight: number): void {
  const before = useRef(state.rows.value);
  const rows = state.rows.value;
  useLayoutEffect(() => {
    const [old, element] = [before.current, scroller.current];
    before.current = rows;
    if (old === rows || element === null) return;
    const wasAtEnd = element.scrollTop > 0 && element.scrollTop + element.clientHeight >= old.length * rowHeight;
    if (state.isRunning.peek() && wasAtEnd) {
      element.scrollTop = element.scrollHeight;
      return;
    }
    const first = Math.ceil(element.scrollTop / rowHeight);
    const selected = rowOfStep(old, state.selected.peek());
    const isSelectedVisible = selected >= first && selected * rowHeight < element.scrollTop + element.clientHeight;
    const anchor = isSelectedVisible ? selected : Math.min(first, old.length - 1);
    const step = old.step[anchor];
    if (step === undefined) return;
    const kept = [step, ...ancestorsOf(state.columns.peek(), step).reverse()].find((at) => rowOfStep(rows, at) >= 0);
    if (kept !== undefined) element.scrollTop += (rowOfStep(rows, kept) - anchor) * rowHeight;
  }, [rows, rowHeight]);
}
