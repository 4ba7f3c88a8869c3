import { AppError } from '../../core/app-error.ts';
import type { Page, PageRequest } from './page.ts';

/** Keyset position: Unix milliseconds and an id, the sort key of every long list. */
export interface Position {
  at: number;
  id: string;
  /** First sort key of a list that is not in time order. */
  rank?: number | undefined;
  /** Name of that order; omitted if the list has only one. */
  order?: string | undefined;
}

export function encodeCursor(position: Position): string {
  const { at, id, rank, order } = position;
  const parts = rank === undefined ? [at, id] : order === undefined ? [at, id, rank] : [at, id, rank, order];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws AppError `invalid_query` for a cursor that this service did not create */
export function decodeCursor(cursor: string): Position {
  try {
    const [at, id, rank, order] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof at === 'number' && typeof id === 'string') {
      if (rank === undefined) return { at, id };
      if (typeof rank === 'number' && order === undefined) return { at, id, rank };
      if (typeof rank === 'number' && typeof order === 'string') return { at, id, rank, order };
    }
  } catch {
    // Falls through to the error below.
  }
  throw new AppError('invalid_query', 'The cursor is invalid.', {
    errors: [{ pointer: '?cursor', message: 'must be an unchanged next_cursor' }],
  });
}

/** @param order name of the order, where a list has several with a rank @throws AppError `invalid_query` for the cursor of a list in another order */
export function assertOrder(position: Position | null, hasRank: boolean, order?: string): void {
  if (position === null || ((position.rank !== undefined) === hasRank && position.order === order)) return;
  throw new AppError('invalid_query', 'The cursor belongs to another sort order.', {
    errors: [{ pointer: '?cursor', message: 'use the `sort` of the previous page' }],
  });
}

export interface PageRange {
  after: Position | null;
  offset: number;
  /** One more than the page size, so that `has_more` needs no count. */
  limit: number;
}

export function toRange(request: PageRequest): PageRange {
  const after = request.cursor === null ? null : decodeCursor(request.cursor);
  return { after, offset: after ? 0 : (request.page - 1) * request.pageSize, limit: request.pageSize + 1 };
}

/** Removes the extra row and returns the cursor of the next page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  total: number,
  request: PageRequest,
  how: { toItem(row: Row): Item; positionOf(row: Row): Position },
): Page<Item> {
  const shown = rows.slice(0, request.pageSize);
  const last = shown.at(-1);
  const hasMore = rows.length > request.pageSize;
  return {
    items: shown.map(how.toItem),
    total,
    page: request.page,
    page_size: request.pageSize,
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? encodeCursor(how.positionOf(last)) : null,
  };
}
