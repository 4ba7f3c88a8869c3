import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';

/**
 * Runs `work` in one transaction. Only services call this: SQLite has one connection behind a mutex, so using the root
 * handle inside would wait for ever.
 */
export function inTransaction<Result>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(work);
}

/** Cuts a list so that one statement stays within a database's limit of parameters. */
export function inSlices<Item>(items: readonly Item[], size: number): Item[][] {
  const slices: Item[][] = [];
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size));
  return slices;
}
