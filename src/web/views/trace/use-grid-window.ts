import { type ReadonlySignal, type Signal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { renderedRows } from '../../parts/row-viewport.ts';
import { density } from '../../shell/preferences.ts';
import type { IdleGap, TimeScale } from '../../trace-model/time-scale.ts';
import { fitRange, scaleOf, type TimeRange, timesOfRows } from './fitted-scale.ts';
import type { TraceState } from './trace-state.ts';

const ROW_HEIGHT = { dense: 28, roomy: 36 } as const;
const INITIAL_HEIGHT = 600;

/** The visible part of the grid and its time scale. Heights and positions are in pixels. */
export interface GridWindow {
  scroller: RefObject<HTMLDivElement | null>;
  head: RefObject<HTMLDivElement | null>;
  scrollTop: Signal<number>;
  /** Height of the visible rows, without the header. */
  height: Signal<number>;
  rowHeight: ReadonlySignal<number>;
  /** Rendered rows: the visible ones and some around them. */
  range: ReadonlySignal<{ from: number; to: number }>;
  /** Number of recycled row elements: the maximum of rows rendered at once. */
  slots: number;
  /** Scale of the selected time window, otherwise of the visible rows if it fits them, otherwise of the run. */
  scale: ReadonlySignal<TimeScale>;
}

export function useGridWindow(state: TraceState): GridWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(INITIAL_HEIGHT);
  const rowHeight = useComputed(() => ROW_HEIGHT[density.value]);
  const range = useComputed(() =>
    renderedRows({
      scrollTop: scrollTop.value,
      height: height.value,
      rowHeight: rowHeight.value,
      total: state.rows.value.length,
    }),
  );
  const slots = useRef(1);
  const fitted = useRef<TimeRange | null>(null);
  const fittedScale = useRef<{ range: TimeRange; gaps: readonly IdleGap[]; scale: TimeScale } | null>(null);
  const scale = useComputed(() => {
    const window = state.window.value;
    if (window !== null) return scaleOf(window, state.gaps.value);
    if (!state.isScaleFitted.value) return state.runScale.value;
    const first = Math.floor(scrollTop.value / rowHeight.value);
    const last = Math.min(state.rows.value.length, first + Math.ceil(height.value / rowHeight.value));
    fitted.current = fitRange(timesOfRows(state, first, last), fitted.current);
    const range = fitted.current;
    const gaps = state.gaps.value;
    if (range === null) return state.runScale.value;
    // Returns the same object while nothing changes, so that visible rows are not rendered again.
    if (fittedScale.current?.range !== range || fittedScale.current.gaps !== gaps)
      fittedScale.current = { range, gaps, scale: scaleOf(range, gaps) };
    return fittedScale.current.scale;
  });
  const pixels = rowHeight.value;
  useLayoutEffect(() => {
    const element = scroller.current!;
    const observer = new ResizeObserver(() => {
      height.value = Math.max(pixels, element.clientHeight - (head.current?.offsetHeight ?? 0));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [pixels]);
  slots.current = Math.max(slots.current, range.value.to - range.value.from);
  return { scroller, head, scrollTop, height, rowHeight, range, slots: slots.current, scale };
}
