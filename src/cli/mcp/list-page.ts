import { z } from 'zod';
import type { Page } from '../../features/_kit/page.ts';

/** Small enough for the context of a model; a cursor leads to the next page. */
const DEFAULT_ITEMS = 10;
const MAX_ITEMS = 25;

export const pageInput = z.object({
  limit: z.number().int().min(1).max(MAX_ITEMS).default(DEFAULT_ITEMS).describe(`Items to show, 1 to ${MAX_ITEMS}`),
  cursor: z.string().max(500).optional().describe('next_cursor of the previous page; use the same filters'),
});

export const pageOutput = z.object({
  total: z.number().int().describe('Number of all that match'),
  next_cursor: z.string().nullable().describe('Pass it as cursor for the next page; null at the end'),
});

/** Dates in the format of the operations, which validate them. */
export const dateInput = z.string().max(40).optional();

/** Query members of a list operation. */
export function pageQueryOf({ limit, cursor }: z.output<typeof pageInput>): { page_size: number; cursor?: string } {
  return { page_size: limit, ...(cursor === undefined ? {} : { cursor }) };
}

/** `3 of 14 traces, newest first.` */
export function pageHead({ items, total }: Page<unknown>, noun: string, order: string): string {
  if (items.length === 0) return `No ${noun} match.`;
  return `${items.length} of ${total} ${noun}, ${order}.`;
}

export function pageNext({ next_cursor }: Page<unknown>, tool: string): string[] {
  return next_cursor === null
    ? []
    : [`There are more: call ${tool} again with the same filters and cursor "${next_cursor}".`];
}
