/** Rendered rows: `from` inclusive, `to` exclusive. */
export interface RowRange {
  from: number;
  to: number;
}

/** A scrolling list of rows of equal height, in pixels. */
export interface RowViewport {
  scrollTop: number;
  /** Height of the visible part. */
  height: number;
  rowHeight: number;
  total: number;
}

/** Rows rendered above and below the visible ones, so that a short scroll shows no gap before the next frame. */
const OVERSCAN_ROWS = 6;

export function renderedRows({ scrollTop, height, rowHeight, total }: RowViewport): RowRange {
  const first = Math.floor(scrollTop / rowHeight) - OVERSCAN_ROWS;
  const last = Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN_ROWS;
  const to = Math.min(total, Math.max(0, last));
  return { from: Math.min(to, Math.max(0, first)), to };
}

/** The nearest scroll position at which the row is visible; unchanged if it is visible already. */
export function scrollToShow(row: number, { scrollTop, height, rowHeight }: RowViewport): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + height ? bottom - height : scrollTop;
}

/** The scroll position that puts the row a third below the top, with its context above. */
export function scrollToPresent(row: number, { height, rowHeight }: RowViewport): number {
  return Math.max(0, row * rowHeight - height / 3);
}
