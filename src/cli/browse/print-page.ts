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
  const { items, total, has_more, next_cursor } = page;
  if (options.isJson) print.json(page);
  else if (items.length === 0) print.note(`No ${noun} found.`);
  else print.data(table(items, columns, style));
  if (has_more && !options.isJson)
    print.note(`${items.length} of ${total} ${noun}; go on with --cursor ${next_cursor}`);
}
