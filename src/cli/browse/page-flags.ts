import type { Command } from 'commander';

/** Flags of every list. */
export interface PageFlags {
  limit: string;
  cursor?: string;
}

export function addPageFlags(command: Command): Command {
  return command
    .option('--limit <number>', 'items to show, 1 to 200', '50')
    .option('--cursor <cursor>', 'go on where a list before ended');
}

/** Query members of the operation. */
export function pageInput({ limit, cursor }: PageFlags): { page_size: number; cursor?: string } {
  return { page_size: Number(limit), ...(cursor === undefined ? {} : { cursor }) };
}
