import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** What a model answered to the detectors' questions, and what asking it cost each day. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('judge_answers')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('question_hash', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('answered_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('judge_answers_pk', ['tenant_no', 'question_hash', 'model'])
    .execute();
  await db.schema
    .createIndex('judge_answers_by_time')
    .on('judge_answers')
    .columns(['tenant_no', 'answered_at'])
    .execute();
  await db.schema
    .createTable('judge_usage')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('tokens', bigint, (column) => column.notNull())
    .addColumn('skipped', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('judge_usage_pk', ['tenant_no', 'day'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['judge_usage', 'judge_answers']) await db.schema.dropTable(table).execute();
}
