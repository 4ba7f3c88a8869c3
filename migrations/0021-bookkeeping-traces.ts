import type { Kysely } from 'kysely';

/** 1 for a trace that holds only a coding agent's own bookkeeping spans: it is not a run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('traces')
    .addColumn('is_bookkeeping', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('traces').dropColumn('is_bookkeeping').execute();
}
