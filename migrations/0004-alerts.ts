import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { index, tenantTable } from './tenant-table.ts';

/** Alerts, their messages and deliveries; issues that are muted or snoozed; traces that came as history. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await marks(db, types);
  await tables(db, types);
  // Nobody asked to hear now of what was found before there were alerts.
  const outbox = db as Kysely<{ outbox: { created_at: number; delivered_at: number | null } }>;
  await outbox
    .updateTable('outbox')
    .set((update) => ({ delivered_at: update.ref('created_at') }))
    .where('delivered_at', 'is', null)
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['alert_folds', 'alert_deliveries', 'alert_messages', 'alerts'])
    await db.schema.dropTable(table).execute();
  await db.schema.dropIndex('outbox_by_time').execute();
  await db.schema.alterTable('issues').dropColumn('muted_at').execute();
  await db.schema.alterTable('issues').dropColumn('snoozed_until').execute();
  await db.schema.alterTable('traces').dropColumn('is_history').execute();
}

async function marks(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('issues').addColumn('muted_at', bigint).execute();
  await db.schema.alterTable('issues').addColumn('snoozed_until', bigint).execute();
  await db.schema
    .alterTable('traces')
    .addColumn('is_history', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('outbox_by_time')
    .on('outbox')
    .columns(['delivered_at', 'deliver_after', 'outbox_id'])
    .execute();
}

async function tables(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'alerts')
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('detection_id', 'text', (column) => column.notNull())
    .addColumn('issue_id', 'text')
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('item', 'text', (column) => column.notNull())
    .addColumn('repeats', 'integer', (column) => column.notNull())
    .addColumn('folded_from', bigint)
    .addColumn('release_at', bigint)
    .addColumn('message_id', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('alerts_pk', ['tenant_no', 'alert_id'])
    .execute();
  await index(db, 'alerts_by_time', 'alerts', ['tenant_no', 'created_at', 'alert_id']);
  await index(db, 'alerts_by_release', 'alerts', ['state', 'release_at']);

  await tenantTable(db, 'alert_messages')
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_messages_pk', ['tenant_no', 'message_id'])
    .execute();

  await tenantTable(db, 'alert_deliveries')
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', bigint, (column) => column.notNull())
    .addColumn('leased_until', bigint, (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('delivered_at', bigint)
    .addPrimaryKeyConstraint('alert_deliveries_pk', ['tenant_no', 'message_id', 'channel', 'target'])
    .execute();
  await index(db, 'alert_deliveries_by_time', 'alert_deliveries', ['state', 'next_at']);

  await tenantTable(db, 'alert_folds')
    .addColumn('fold_key', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('repeats', 'integer', (column) => column.notNull())
    .addColumn('item', 'text', (column) => column.notNull())
    .addColumn('opened_at', bigint, (column) => column.notNull())
    .addColumn('closes_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_folds_pk', ['tenant_no', 'fold_key'])
    .execute();
  await index(db, 'alert_folds_by_time', 'alert_folds', ['closes_at']);
}
