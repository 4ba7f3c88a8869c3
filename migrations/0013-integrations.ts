import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index, tenantTable } from './tenant-table.ts';

/** What tenants have registered of other platforms, nonces of signed webhooks, and how far each platform was read. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await registrations(db, types);
  await nonces(db, types);
  await syncs(db, types);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['platform_syncs', 'webhook_nonces', 'registrations']) await db.schema.dropTable(table).execute();
}

async function registrations(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'registrations')
    .addColumn('registration_id', 'text', (column) => column.notNull())
    .addColumn('integration', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('parent_id', 'text')
    .addColumn('external_id', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('url', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('secrets', 'text')
    .addColumn('secret_names', 'text', (column) => column.notNull())
    .addColumn('is_signed', 'integer', (column) => column.notNull())
    .addColumn('token_hash', 'text')
    .addColumn('last_event_at', bigint)
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('registrations_pk', ['tenant_no', 'registration_id'])
    .execute();
  await index(db, 'registrations_by_time', 'registrations', ['tenant_no', 'created_at', 'registration_id']);
  await db.schema.createIndex('registrations_by_token').unique().on('registrations').columns(['token_hash']).execute();
}

async function nonces(db: Kysely<unknown>, { bigint, keyed }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'webhook_nonces')
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('seen_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_nonces_pk', ['tenant_no', 'nonce'])
    .modifyEnd(keyed)
    .execute();
  await index(db, 'webhook_nonces_by_time', 'webhook_nonces', ['tenant_no', 'seen_at']);
}

async function syncs(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'platform_syncs')
    .addColumn('registration_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('is_alerting', 'integer', (column) => column.notNull())
    .addColumn('since_ms', bigint)
    .addColumn('page_cursor', 'text')
    .addColumn('newest_seen', 'text')
    .addColumn('newest_taken', 'text')
    .addColumn('open_runs', 'text', (column) => column.notNull())
    .addColumn('runs_read', bigint, (column) => column.notNull())
    .addColumn('runs_taken', bigint, (column) => column.notNull())
    .addColumn('runs_refused', bigint, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('lease_token', 'text')
    .addColumn('leased_until', bigint, (column) => column.notNull())
    .addColumn('run_at', bigint)
    .addColumn('started_at', bigint)
    .addColumn('finished_at', bigint)
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('platform_syncs_pk', ['tenant_no', 'registration_id'])
    .execute();
  await index(db, 'platform_syncs_by_due', 'platform_syncs', ['run_at']);
}
