/** Rows that are drawn: from `from` up to and without `to`. */
export interface RowRange {
  from: number;
  to: number;
}

/** A list of rows of equal height that scrolls. Pixels. */
export interface RowViewport {
  scrollTop: number;
  /** Of the part that shows rows. */
  height: number;
  rowHeight: number;
  total: number;
}

/** Rows above and below the visible ones: a short scroll shows no gap before the next frame. */
const OVERSCAN_ROWS = 6;

export function drawnRows({ scrollTop, height, rowHeight, total }: RowViewport): RowRange {
  const first = Math.floor(scrollTop / rowHeight) - OVERSCAN_ROWS;
  const last = Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN_ROWS;
  const to = Math.min(total, Math.max(0, last));
  return { from: Math.min(to, Math.max(0, first)), to };
}

/** The scroll position that shows the row with the least movement; the present one where the row is visible. */
export function scrollToShow(row: number, { scrollTop, height, rowHeight }: RowViewport): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  const bottom = top + rowHeight;
  return bottom > scrollTop + height ? bottom - height : scrollTop;
}

/** The scroll position that shows the row a third below the top, with what led to it above. */
export function scrollToPresent(row: number, { height, rowHeight }: RowViewport): number {
  return Math.max(0, row * rowHeight - height / 3);
}
