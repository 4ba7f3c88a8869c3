import Table from 'cli-table3';
import { printableLine } from './printable.ts';
import type { Style } from './style.ts';

export interface Column<Row> {
  title: string;
  /** Text of a cell; it is escaped here. */
  text(row: Row): string;
  align?: 'left' | 'right';
  /** Maximum characters of a cell. */
  limit?: number;
  paint?(row: Row, text: string): string;
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Rows in aligned columns without borders, which other programs can split. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], style: Style): string {
  const drawn = new Table({
    head: columns.map((column) => style.bold(column.title.toUpperCase())),
    chars: NO_LINES,
    colAligns: columns.map((column) => column.align ?? 'left'),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) drawn.push(columns.map((column) => cell(row, column)));
  return `${drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

function cell<Row>(row: Row, { text, limit, paint }: Column<Row>): string {
  const line = printableLine(text(row));
  const cut = limit !== undefined && line.length > limit ? `${line.slice(0, limit - 1).toWellFormed()}…` : line;
  return paint ? paint(row, cut) : cut;
}
