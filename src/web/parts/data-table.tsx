import type { ComponentChildren } from 'preact';
import style from './data-table.module.css';
import { minTableWidth } from './min-table-width.ts';
import { useIsNarrower } from './use-is-narrower.ts';

export interface Column<Row> {
  title: string;
  cell(row: Row): ComponentChildren;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** Omitted where rows are cards, because the view of the row shows it. */
  isDetail?: boolean;
  /** Takes the whole width where rows are cards, because it contains actions or sentences. */
  isWide?: boolean;
}

interface DataTableProps<Row> {
  /** The accessible name of the table. */
  label: string;
  /** The first column is the header of its row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  isCurrent?(row: Row): boolean;
  /** The width in pixels that its columns need. Narrower, each row is a card. The default depends on the number of columns. */
  minWidth?: number;
}

/** A table of rows of one type. Where it is too narrow for its columns, each row is a card with the titles beside the values. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  isCurrent = () => false,
  minWidth,
}: DataTableProps<Row>) {
  const { ref, isNarrower } = useIsNarrower(minWidth ?? minTableWidth(columns.length));
  return (
    // A table that is wider than the screen scrolls in its own region, also with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the region scrolls
    <section ref={ref} class={`${style.scroll} ${isNarrower ? style.cards : ''}`} aria-label={label} tabIndex={0}>
      <table class={style.table}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? style.number : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...(isCurrent(row) ? { 'aria-current': 'true' as const } : {})}>
              {columns.map(({ title, cell, isNumber, isDetail, isWide }, columnIndex) =>
                columnIndex === 0 ? (
                  <th key={title} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={title}
                    data-title={title}
                    class={`${isNumber ? style.number : ''} ${isDetail ? style.detail : ''} ${isWide ? style.wide : ''}`}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
