const FEW_COLUMNS = 3;
const MANY_COLUMNS = 6;

/** The width in pixels from which a table with so many columns is shown as a table; narrower, its rows are cards. */
export function minTableWidth(columns: number): number {
  if (columns <= FEW_COLUMNS) return 0;
  return columns < MANY_COLUMNS ? 560 : 800;
}
