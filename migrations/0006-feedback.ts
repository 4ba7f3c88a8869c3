import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index, tenantTable } from './tenant-table.ts';

/** What users said of detections, and which fixes they applied. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'feedback')
    .addColumn('feedback_id', 'text', (column) => column.notNull())
    .addColumn('detection_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('detection_type', 'text', (column) => column.notNull())
    .addColumn('subtype', 'text', (column) => column.notNull())
    .addColumn('feedback_type', 'text', (column) => column.notNull())
    .addColumn('comment', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('feedback_pk', ['tenant_no', 'feedback_id'])
    .execute();
  await index(db, 'feedback_by_time', 'feedback', ['tenant_no', 'created_at', 'feedback_id']);
  await index(db, 'feedback_by_detection', 'feedback', ['tenant_no', 'detection_id']);
  await index(db, 'feedback_by_trace', 'feedback', ['tenant_no', 'trace_id']);
  await db.schema.alterTable('detections').addColumn('feedback_id', 'text').execute();
  await db.schema.alterTable('detections').addColumn('applied_fixes', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('detections').dropColumn('applied_fixes').execute();
  await db.schema.alterTable('detections').dropColumn('feedback_id').execute();
  await db.schema.dropTable('feedback').execute();
}
