import type { Kysely } from 'kysely';

/** Finds running traces that have been silent for long without a read of the whole table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('traces_running')
    .on('traces')
    .columns(['updated_at'])
    .where('status' as never, '=', 'running')
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('traces_running').execute();
}
