import type { CreateTableBuilder, Kysely } from 'kysely';

/** A table whose key begins with the tenant; the migration adds the rest. */
// biome-ignore lint/suspicious/noExplicitAny: the builder's type grows with each column, which no one reads here
export function tenantTable(db: Kysely<unknown>, name: string): CreateTableBuilder<any, any> {
  return db.schema.createTable(name).addColumn('tenant_no', 'integer', (column) => column.notNull());
}

export async function index(db: Kysely<unknown>, name: string, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(name)
    .on(table)
    .columns(columns as never)
    .execute();
}
