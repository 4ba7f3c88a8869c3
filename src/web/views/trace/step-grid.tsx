import { pluralize } from '../../parts/amounts.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { ancestorsOf, nameOf } from '../../trace-model/columns.ts';
import styles from './step-grid.module.css';
import { type GridLayout, StepRow } from './step-row.tsx';
import { TimeAxis, TimeLines } from './time-axis.tsx';
import type { TraceAddress } from './trace-address.ts';
import type { GoOptions } from './trace-links.ts';
import type { TraceState } from './trace-state.ts';
import { useGridFocus } from './use-grid-focus.ts';
import { useGridWindow } from './use-grid-window.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

interface StepGridProps {
  state: TraceState;
  layout: GridLayout;
  go(change: Partial<TraceAddress>, options?: GoOptions): void;
}

const PATH_NAMES = 5;

/**
 * The steps as a tree with their bars: one grid, one scroll position, and only the rows that are visible. The grid has the
 * focus and names its active row, so that the focus stays when a row leaves the page. Its rows are placed absolutely, which
 * table rows cannot be.
 */
export function StepGrid({ state, layout, go }: StepGridProps) {
  const grid = useGridWindow(state);
  const rowHeight = grid.rowHeight.value;
  useScrollAnchor(state, grid.scroller, rowHeight);
  const focus = useGridFocus(state, grid, go);
  const { from, to } = grid.range.value;
  const total = state.rows.value.length;
  const isActiveRendered = focus.activeRow.value >= from && focus.activeRow.value < to;
  return (
    <div
      ref={grid.scroller}
      role="treegrid"
      tabIndex={0}
      aria-label={`${pluralize(state.columns.value.total, 'step')} of the run`}
      aria-rowcount={total + 1}
      aria-colcount={3}
      aria-multiselectable="false"
      {...(isActiveRendered ? { 'aria-activedescendant': `step-row-${focus.activeRow.value}` } : {})}
      class={`${styles.grid} ${styles[layout]}`}
      style={{ '--step-digits': `${String(Math.max(0, state.columns.value.total - 1)).length}ch` }}
      onScroll={({ currentTarget }) => {
        grid.scrollTop.value = currentTarget.scrollTop;
      }}
      onKeyDown={focus.onKeyDown}
      onClick={focus.onClick}
      onDblClick={focus.onDblClick}
    >
      <div role="rowgroup" class={styles.head} ref={grid.head}>
        <div role="row" class={styles.titles} aria-rowindex={1}>
          <span role="columnheader" class={styles.step}>
            Step
            <Path state={state} row={Math.floor(grid.scrollTop.value / rowHeight)} />
          </span>
          <span role="columnheader" class={styles.duration}>
            Duration
          </span>
          <span role="columnheader" class={styles.axis}>
            <span class="visually-hidden">Time</span>
            <TimeAxis scale={grid.scale.value} />
          </span>
        </div>
      </div>
      <div role="rowgroup" class={styles.body} style={{ height: `${Math.max(1, total) * rowHeight}px` }}>
        {layout === 'timeline' && (
          <div class={styles.lines} aria-hidden="true">
            <TimeLines scale={grid.scale.value} />
          </div>
        )}
        {Array.from({ length: to - from }, (_, index) => from + index).map((row) => (
          <StepRow
            key={row % grid.slots}
            state={state}
            row={row}
            top={row * rowHeight}
            isSelected={row === focus.activeRow.value}
            scale={grid.scale.value}
            layout={layout}
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
  const ancestors = step < 0 ? [] : ancestorsOf(columns, step);
  const names = ancestors.map((at) => visibleText(nameOf(columns, at).slice(0, 80)) || '(unnamed)');
  const shown = names.length > PATH_NAMES ? [names[0]!, '…', ...names.slice(1 - PATH_NAMES)] : names;
  return (
    <bdi class={styles.path} aria-hidden="true">
      {row > 0 && shown.length > 0 && `in ${shown.join(' › ')}`}
    </bdi>
  );
}
