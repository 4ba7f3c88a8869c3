import type { Kysely } from 'kysely';

const COLUMNS = ['title', 'project', 'branch', 'ended_by', 'session_digest'];

/** What a session of a coding agent is known by, and its figures. A trace that is no such session has no `ended_by`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of COLUMNS) await db.schema.alterTable('traces').addColumn(column, 'text').execute();
  await db.schema
    .createIndex('traces_coding_sessions')
    .on('traces')
    .columns(['tenant_no', 'started_at', 'trace_id'])
    .where('ended_by' as never, 'is not', null)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('traces_coding_sessions').execute();
  for (const column of COLUMNS) await db.schema.alterTable('traces').dropColumn(column).execute();
}
