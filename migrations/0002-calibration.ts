import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** What the last traces of a tenant scored, from which its firing confidences adapt. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('calibration_samples')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('framework', 'text', (column) => column.notNull())
    .addColumn('seen_at', bigint, (column) => column.notNull())
    .addColumn('signals', 'text', (column) => column.notNull())
    .addColumn('risk_columns', 'text')
    .addPrimaryKeyConstraint('calibration_samples_pk', ['tenant_no', 'trace_id'])
    .execute();
  await db.schema
    .createIndex('calibration_samples_by_time')
    .on('calibration_samples')
    .columns(['tenant_no', 'framework', 'seen_at', 'trace_id'])
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('calibration_samples').execute();
}
