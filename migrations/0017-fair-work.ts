import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Tables whose rows are worked on under a lease; `lease_owner` names the process, so that its end releases them. */
const LEASED = ['jobs', 'import_jobs', 'operation_jobs', 'platform_syncs', 'alert_deliveries', 'idempotency_keys'];
const TRACE_COLUMNS = ['given_up_reason', 'given_up_at', 'left_out'];

/** Jobs have a priority, leases an owner, and a trace says what of its analysis is missing. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('lease_owners')
    .addColumn('owner_id', 'text', (column) => column.primaryKey())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('pid', 'integer', (column) => column.notNull())
    .addColumn('process_start', 'text', (column) => column.notNull())
    .addColumn('heartbeat', bigint, (column) => column.notNull())
    .execute();
  for (const table of LEASED) {
    await db.schema.alterTable(table).addColumn('lease_owner', 'text').execute();
    await db.schema
      .createIndex(`${table}_by_lease_owner`)
      .on(table)
      .column('lease_owner')
      .where('lease_owner' as never, 'is not', null)
      .execute();
  }
  await db.schema
    .alterTable('jobs')
    .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('jobs_by_tenant_time')
    .on('jobs')
    .columns(['kind', 'priority', 'tenant_no', 'run_at'])
    .execute();
  await db.schema.alterTable('traces').addColumn('given_up_reason', 'text').execute();
  await db.schema.alterTable('traces').addColumn('given_up_at', bigint).execute();
  await db.schema.alterTable('traces').addColumn('left_out', 'text').execute();
  await db.schema
    .createIndex('traces_given_up')
    .on('traces')
    .columns(['tenant_no', 'given_up_at'])
    .where('given_up_at' as never, 'is not', null)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('traces_given_up').execute();
  for (const column of TRACE_COLUMNS) await db.schema.alterTable('traces').dropColumn(column).execute();
  await db.schema.dropIndex('jobs_by_tenant_time').execute();
  await db.schema.alterTable('jobs').dropColumn('priority').execute();
  for (const table of LEASED) {
    await db.schema.dropIndex(`${table}_by_lease_owner`).execute();
    await db.schema.alterTable(table).dropColumn('lease_owner').execute();
  }
  await db.schema.dropTable('lease_owners').execute();
}
