import type { Page } from '../../features/_kit/page.ts';
import type { CommandContext } from '../context.ts';
import { type Column, table } from '../views/table.ts';

/** A list as a table, or as the page it came as with `--json`. */
export function printPage<Row>(
  context: CommandContext,
  page: Page<Row>,
  columns: readonly Column<Row>[],
  noun: string,
): void {
  const { print, style, options } = context;
  if (options.isJson) return print.json(page);
  if (page.items.length === 0) return print.note(`No ${noun} found.`);
  print.data(table(page.items, columns, style));
  if (page.has_more)
    print.note(`${page.items.length} of ${page.total} ${noun}; go on with --cursor ${page.next_cursor}`);
}
