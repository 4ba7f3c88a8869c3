/** The focused row, as far as keys depend on it. */
export interface FocusedRow {
  row: number;
  total: number;
  /** Rows that fit into the visible part. */
  pageRows: number;
  /** Null for a row without children. */
  isExpanded: boolean | null;
  /** -1 for a row of the first level. */
  parentRow: number;
}

export type TreegridAction = { kind: 'focus'; row: number } | { kind: 'expand' } | { kind: 'collapse' };

/** The action of a key in a treegrid with focusable rows, as in the ARIA Authoring Practices; null for other keys. */
export function treegridAction(key: string, focused: FocusedRow): TreegridAction | null {
  const { row, total, pageRows, isExpanded, parentRow } = focused;
  const focus = (target: number): TreegridAction => ({ kind: 'focus', row: Math.max(0, Math.min(total - 1, target)) });
  if (total === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return focus(row + 1);
    case 'ArrowUp':
      return focus(row - 1);
    case 'PageDown':
      return focus(row + pageRows);
    case 'PageUp':
      return focus(row - pageRows);
    case 'Home':
      return focus(0);
    case 'End':
      return focus(total - 1);
    case 'ArrowRight':
      if (isExpanded === null) return null;
      return isExpanded ? focus(row + 1) : { kind: 'expand' };
    case 'ArrowLeft':
      if (isExpanded) return { kind: 'collapse' };
      return parentRow < 0 ? null : focus(parentRow);
    default:
      return null;
  }
}
