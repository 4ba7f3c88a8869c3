import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index, tenantTable } from './tenant-table.ts';

/** Sessions of browsers, and the one-time links that open them; both are stored as hashes. */
export async function up(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'web_sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('secret_hash', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('seen_at', bigint, (column) => column.notNull())
    .execute();
  await index(db, 'web_sessions_by_tenant', 'web_sessions', ['tenant_no']);
  await tenantTable(db, 'sign_in_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('key_id', 'text')
    .addColumn('secret_hash', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('expires_at', bigint, (column) => column.notNull())
    .addColumn('used_at', bigint)
    .execute();
  await index(db, 'sign_in_links_by_tenant', 'sign_in_links', ['tenant_no']);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sign_in_links', 'web_sessions']) await db.schema.dropTable(table).execute();
}
