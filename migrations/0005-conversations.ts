import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Traces that were sent as conversations. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('conversations')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('framework', 'text', (column) => column.notNull())
    .addColumn('participants', 'text', (column) => column.notNull())
    .addColumn('turn_count', 'integer', (column) => column.notNull())
    .addColumn('total_tokens', bigint, (column) => column.notNull())
    .addColumn('started_at', bigint, (column) => column.notNull())
    .addColumn('ended_at', bigint)
    .addColumn('content_hash', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('conversations_pk', ['tenant_no', 'conversation_id'])
    .execute();
  await db.schema
    .createIndex('conversations_by_trace')
    .on('conversations')
    .columns(['tenant_no', 'trace_id'])
    .unique()
    .execute();
  await db.schema
    .createIndex('conversations_by_time')
    .on('conversations')
    .columns(['tenant_no', 'started_at', 'conversation_id'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('conversations').execute();
}
