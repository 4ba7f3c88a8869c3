import type { Page } from '../../features/_kit/page.ts';
import type { CommandContext } from '../context.ts';
import { type Column, table } from '../views/table.ts';

/**
 * Prints a list as a table, or with `--json` the page as the API returned it.
 * @param urlOf address of the row in the dashboard; printed as the last column, or as the member `url` in JSON
 */
export function printPage<Row>(
  context: CommandContext,
  page: Page<Row>,
  columns: readonly Column<Row>[],
  noun: string,
  urlOf?: (row: Row) => string,
): void {
  const { print, style, options } = context;
  const { items, total, has_more, next_cursor } = page;
  if (options.isJson) print.json(urlOf ? { ...page, items: items.map((row) => ({ ...row, url: urlOf(row) })) } : page);
  else if (items.length === 0) print.note(`No ${noun} found.`);
  else print.data(table(items, urlOf ? [...columns, { title: 'link', text: urlOf }] : columns, style));
  if (has_more && !options.isJson)
    print.note(`${items.length} of ${total} ${noun}; next page: --cursor ${next_cursor}`);
}
