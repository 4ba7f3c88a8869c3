import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index, tenantTable } from './tenant-table.ts';

/** Import jobs with what they took and refused, and jobs that delete. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await imports(db, types);
  await operationJobs(db, types);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['operation_jobs', 'import_errors', 'import_traces', 'import_jobs'])
    await db.schema.dropTable(table).execute();
}

async function imports(db: Kysely<unknown>, { bigint, keyed }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'import_jobs')
    .addColumn('import_job_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('source_file', 'text')
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('format', 'text')
    .addColumn('formats', 'text', (column) => column.notNull())
    .addColumn('is_alerting', 'integer', (column) => column.notNull())
    .addColumn('bytes_total', bigint, (column) => column.notNull())
    .addColumn('bytes_done', bigint, (column) => column.notNull())
    .addColumn('position_offset', bigint, (column) => column.notNull())
    .addColumn('position_line', bigint, (column) => column.notNull())
    .addColumn('records_done', bigint, (column) => column.notNull())
    .addColumn('records_failed', bigint, (column) => column.notNull())
    .addColumn('spans_accepted', bigint, (column) => column.notNull())
    .addColumn('spans_rejected', bigint, (column) => column.notNull())
    .addColumn('error_count', bigint, (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('work_ms', bigint, (column) => column.notNull())
    .addColumn('lease_token', 'text')
    .addColumn('leased_until', bigint, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('started_at', bigint)
    .addColumn('finished_at', bigint)
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('import_jobs_pk', ['tenant_no', 'import_job_id'])
    .execute();
  await index(db, 'import_jobs_by_time', 'import_jobs', ['tenant_no', 'created_at', 'import_job_id']);
  await index(db, 'import_jobs_by_status', 'import_jobs', ['status', 'created_at']);

  await tenantTable(db, 'import_traces')
    .addColumn('import_job_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_traces_pk', ['tenant_no', 'import_job_id', 'trace_id'])
    .modifyEnd(keyed)
    .execute();
  await index(db, 'import_traces_by_trace', 'import_traces', ['tenant_no', 'trace_id']);

  await tenantTable(db, 'import_errors')
    .addColumn('import_job_id', 'text', (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('record', bigint, (column) => column.notNull())
    .addColumn('line', bigint, (column) => column.notNull())
    .addColumn('pointer', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_errors_pk', ['tenant_no', 'import_job_id', 'sequence'])
    .execute();
}

async function operationJobs(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'operation_jobs')
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('position', 'text', (column) => column.notNull())
    .addColumn('looked_at', bigint, (column) => column.notNull())
    .addColumn('done', bigint, (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('lease_token', 'text')
    .addColumn('leased_until', bigint, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('started_at', bigint)
    .addColumn('finished_at', bigint)
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('operation_jobs_pk', ['tenant_no', 'job_id'])
    .execute();
  await index(db, 'operation_jobs_by_time', 'operation_jobs', ['tenant_no', 'created_at', 'job_id']);
  await index(db, 'operation_jobs_by_status', 'operation_jobs', ['status', 'created_at']);
}
