import type { AliasedExpression } from 'kysely';
import type { Db } from './connection.ts';

/** Number of rows of a subquery, such as one with a limit: `query.limit(1_000).as('some')`. */
export async function countRows(db: Db, rows: AliasedExpression<object, 'some'>): Promise<number> {
  const row = await db
    .selectFrom(rows)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
