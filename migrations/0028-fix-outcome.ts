import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index } from './tenant-table.ts';

interface Tables {
  issues: { status: string; resolved_at: number | null; resolved_by: string | null; last_resolved_at: number | null };
  healing_operations: { issue_id: string | null };
}

/** The issue of each healing operation, and when a person resolved an issue that has recurred since. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('healing_operations').addColumn('issue_id', 'text').execute();
  await db.schema.alterTable('issues').addColumn('last_resolved_at', bigint).execute();
  await (db as Kysely<Tables>)
    .updateTable('healing_operations')
    .set({
      issue_id: sql<string | null>`(select issue_id from detections
        where detections.tenant_no = healing_operations.tenant_no
          and detections.detection_id = healing_operations.detection_id)`,
    })
    .execute();
  await (db as Kysely<Tables>)
    .updateTable('issues')
    .set((row) => ({ last_resolved_at: row.ref('resolved_at') }))
    .where('status', '=', 'resolved')
    .where('resolved_by', 'is not', null)
    .execute();
  const columns = ['tenant_no', 'issue_id', 'operation_id'];
  await index(db, 'healing_operations_by_issue', 'healing_operations', columns);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('healing_operations_by_issue').execute();
  await db.schema.alterTable('healing_operations').dropColumn('issue_id').execute();
  await db.schema.alterTable('issues').dropColumn('last_resolved_at').execute();
}
