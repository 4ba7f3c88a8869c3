import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index, tenantTable } from './tenant-table.ts';

/** Healing operations, and the log of what was changed by whom. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await operations(db, types);
  await auditLog(db, types);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['audit_log', 'healing_operations']) await db.schema.dropTable(table).execute();
}

async function operations(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'healing_operations')
    .addColumn('operation_id', 'text', (column) => column.notNull())
    .addColumn('detection_id', 'text', (column) => column.notNull())
    .addColumn('fix_id', 'text')
    .addColumn('fix_type', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('risk', 'text', (column) => column.notNull())
    .addColumn('executor', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('policy', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('action', 'text')
    .addColumn('changes', 'text', (column) => column.notNull())
    .addColumn('content_before', 'text')
    .addColumn('content_after', 'text')
    .addColumn('approvals', 'text', (column) => column.notNull())
    .addColumn('verification', 'text')
    .addColumn('error', 'text')
    .addColumn('note', 'text')
    .addColumn('lease_token', 'text')
    .addColumn('lease_holder', 'text')
    .addColumn('leased_until', bigint)
    .addColumn('created_by', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addColumn('started_at', bigint)
    .addColumn('applied_at', bigint)
    .addColumn('rolled_back_at', bigint)
    .addPrimaryKeyConstraint('healing_operations_pk', ['tenant_no', 'operation_id'])
    .execute();
  await index(db, 'healing_operations_by_status', 'healing_operations', ['tenant_no', 'status', 'operation_id']);
  await index(db, 'healing_operations_applied', 'healing_operations', ['tenant_no', 'applied_at', 'operation_id']);
  await index(db, 'healing_operations_by_lease', 'healing_operations', ['status', 'leased_until']);
}

async function auditLog(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'audit_log')
    .addColumn('audit_id', 'text', (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('object_id', 'text')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('digest_before', 'text')
    .addColumn('digest_after', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addPrimaryKeyConstraint('audit_log_pk', ['tenant_no', 'audit_id'])
    .execute();
  await index(db, 'audit_log_by_time', 'audit_log', ['tenant_no', 'at', 'audit_id']);
  await index(db, 'audit_log_by_action', 'audit_log', ['tenant_no', 'action', 'at', 'audit_id']);
  await index(db, 'audit_log_by_object', 'audit_log', ['tenant_no', 'object_id', 'at', 'audit_id']);
}
