import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** What each trace adds to the daily figures and to its workflow, and the sums of it; groups of workflows. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await traceColumns(db, types);
  await dailyFigures(db, types);
  await workflows(db, types);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['workflow_groups', 'workflows', 'daily_figures']) await db.schema.dropTable(table).execute();
  for (const index of ['traces_by_day_cost', 'traces_by_workflow']) await db.schema.dropIndex(index).execute();
  for (const column of ['figures', 'figures_day', 'workflow_id'])
    await db.schema.alterTable('traces').dropColumn(column).execute();
}

async function traceColumns(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('traces').addColumn('figures', 'text').execute();
  await db.schema.alterTable('traces').addColumn('figures_day', bigint).execute();
  await db.schema.alterTable('traces').addColumn('workflow_id', 'text').execute();
  // Only analyzed traces are in them, so taking spans in costs nothing more.
  const index = (name: string, columns: string[], column: string) =>
    (db as Kysely<{ traces: Record<string, unknown> }>).schema
      .createIndex(name)
      .on('traces')
      .columns(columns as never)
      .where(column as never, 'is not', null)
      .execute();
  await index('traces_by_day_cost', ['tenant_no', 'figures_day', 'cost_usd', 'trace_id'], 'figures_day');
  await index('traces_by_workflow', ['tenant_no', 'workflow_id', 'started_at', 'trace_id'], 'workflow_id');
}

async function dailyFigures(db: Kysely<unknown>, { bigint, keyed }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('daily_figures')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('dimension', 'text', (column) => column.notNull())
    .addColumn('day', bigint, (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('count', bigint, (column) => column.notNull())
    .addColumn('tokens', bigint, (column) => column.notNull())
    .addColumn('cost_nano_usd', bigint, (column) => column.notNull())
    .addColumn('amount', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('daily_figures_pk', ['tenant_no', 'dimension', 'day', 'label'])
    .modifyEnd(keyed)
    .execute();
}

async function workflows(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('workflows')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('workflow_id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('service_name', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('trace_count', bigint, (column) => column.notNull())
    .addColumn('step_count', bigint, (column) => column.notNull())
    .addColumn('scored_count', bigint, (column) => column.notNull())
    .addColumn('score_tenths', bigint, (column) => column.notNull())
    .addColumn('tokens', bigint, (column) => column.notNull())
    .addColumn('cost_nano_usd', bigint, (column) => column.notNull())
    .addColumn('last_seen_at', bigint, (column) => column.notNull())
    .addColumn('group_id', 'text')
    .addColumn('is_manual', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('workflows_pk', ['tenant_no', 'workflow_id'])
    .execute();
  await db.schema
    .createIndex('workflows_by_time')
    .on('workflows')
    .columns(['tenant_no', 'last_seen_at', 'workflow_id'])
    .execute();
  await db.schema
    .createIndex('workflows_by_group')
    .on('workflows')
    .columns(['tenant_no', 'group_id', 'last_seen_at', 'workflow_id'])
    .execute();
  await db.schema
    .createTable('workflow_groups')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('color', 'text')
    .addColumn('rules', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('workflow_groups_pk', ['tenant_no', 'group_id'])
    .addUniqueConstraint('workflow_groups_name', ['tenant_no', 'name'])
    .execute();
}
