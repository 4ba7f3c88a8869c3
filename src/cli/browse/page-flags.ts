import { type Command, InvalidArgumentError } from 'commander';

/** Flags of every list. */
export interface PageFlags {
  limit: number;
  cursor?: string;
}

export function addPageFlags(command: Command): Command {
  return command
    .option('--limit <number>', 'items to show', toLimit, 50)
    .option('--cursor <cursor>', 'next_cursor of the previous page');
}

/** Query members of the operation. */
export function pageInput({ limit, cursor }: PageFlags): { page_size: number; cursor?: string } {
  return { page_size: limit, ...(cursor === undefined ? {} : { cursor }) };
}

export function toLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit;
  throw new InvalidArgumentError('Give a number from 1 to 200.');
}
