import { z } from 'zod';
import { parseRfc3339 } from '../../core/rfc3339.ts';

/** Query members of every paged list; `cursor` may replace `page` for deep pages. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page number, from 1'),
  page_size: z.coerce.number().int().min(1).max(200).default(50).describe('Items per page, 1 to 200'),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the previous page; replaces `page`'),
});

export interface PageRequest {
  page: number;
  pageSize: number;
  cursor: string | null;
}

export function toPageRequest(query: z.output<typeof pageQuery>): PageRequest {
  return { page: query.page, pageSize: query.page_size, cursor: query.cursor ?? null };
}

/** The envelope of a paged list, named after its items: `TracePage`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  const page = z.object({
    items: z.array(item),
    total: z.number().int().describe('Number of all items that match'),
    page: z.number().int(),
    page_size: z.number().int(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });
  const { id } = item.meta() ?? {};
  return id === undefined ? page : page.meta({ id: `${id}Page` });
}

export interface Page<Item> {
  items: Item[];
  total: number;
  page: number;
  page_size: number;
  has_more: boolean;
  next_cursor: string | null;
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
const INVALID_DATE = 'must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z, or a date such as 2026-01-31';

/** An RFC 3339 time or a bare date, which means its UTC midnight; decodes to Unix milliseconds. */
export const dateQuery = z
  .string()
  .regex(DATE, { message: INVALID_DATE, abort: true })
  .refine((text) => parseRfc3339(text) !== null, { message: INVALID_DATE })
  .meta({ id: 'DateOrTime', examples: ['2026-01-31T12:00:00Z', '2026-01-31'] })
  .transform((text) => parseRfc3339(text) as number);

/** The schema with a check that one member is not above the other; both are optional. */
export function inOrder<Schema extends z.ZodObject>(schema: Schema, low: string, high: string): Schema {
  return schema.refine(
    (values) => {
      const [least, most] = [(values as Record<string, unknown>)[low], (values as Record<string, unknown>)[high]];
      return typeof least !== 'number' || typeof most !== 'number' || least <= most;
    },
    { path: [low], message: `must not be above ${high}` },
  );
}
