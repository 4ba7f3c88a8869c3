import { type Kysely, sql } from 'kysely';

const COLUMNS = ['rank_percent', 'risk_columns', 'traffic'] as const;

/** What a run is ranked by within its own traffic, and its rank. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('traces').addColumn('traffic', 'text').execute();
  await db.schema.alterTable('traces').addColumn('risk_columns', 'text').execute();
  await db.schema
    .alterTable('traces')
    .addColumn('rank_percent', 'integer', (column) => column.notNull().defaultTo(-1))
    .execute();
  const traces = (name: string, columns: string[]) =>
    (db as Kysely<{ traces: Record<string, unknown> }>).schema
      .createIndex(name)
      .on('traces')
      .columns(columns as never);
  await traces('traces_by_rank', ['tenant_no', 'rank_percent', 'started_at', 'trace_id']).execute();
  const ofTraffic = ['tenant_no', 'traffic', 'started_at', 'trace_id'];
  await traces('traces_by_traffic', ofTraffic).where('traffic', 'is not', null).execute();
  await traces('traces_unranked', ofTraffic)
    .where('traffic', 'is not', null)
    .where(sql<boolean>`rank_percent = -1`)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of ['traces_by_rank', 'traces_by_traffic', 'traces_unranked'])
    await db.schema.dropIndex(index).execute();
  for (const column of COLUMNS) await db.schema.alterTable('traces').dropColumn(column).execute();
}
