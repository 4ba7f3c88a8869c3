import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Running figures of tenants and the instance, what of them a monitoring vendor has, subscriptions and payment events. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await figures(db, types);
  await billing(db, types);
  await countWhatIsThere(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('issues_by_status').execute();
  for (const table of ['billing_events', 'subscriptions', 'vendor_flushes', 'figures'])
    await db.schema.dropTable(table).execute();
}

async function figures(db: Kysely<unknown>, { bigint, double, keyed }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('figures')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('value', double, (column) => column.notNull())
    .addPrimaryKeyConstraint('figures_pk', ['tenant_no', 'name', 'label'])
    .modifyEnd(keyed)
    .execute();
  await db.schema
    .createTable('vendor_flushes')
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('flushed', double, (column) => column.notNull())
    .addColumn('flushed_at', bigint, (column) => column.notNull())
    .addColumn('pending', double)
    .addColumn('pending_at', bigint)
    .addPrimaryKeyConstraint('vendor_flushes_pk', ['tenant_no', 'name', 'label'])
    .modifyEnd(keyed)
    .execute();
  await db.schema.createIndex('issues_by_status').on('issues').columns(['tenant_no', 'status', 'severity']).execute();
}

async function billing(db: Kysely<unknown>, { bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('tenant_no', 'integer', (column) => column.primaryKey())
    .addColumn('customer_id', 'text')
    .addColumn('subscription_id', 'text')
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('current_period_end', bigint)
    .addColumn('cancel_at_period_end', 'integer', (column) => column.notNull())
    .addColumn('event_at', bigint, (column) => column.notNull())
    .addColumn('event_rank', 'integer', (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('subscriptions_by_customer').on('subscriptions').columns(['customer_id']).execute();
  await db.schema
    .createTable('billing_events')
    .addColumn('event_id', 'text', (column) => column.primaryKey())
    .addColumn('tenant_no', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('received_at', bigint, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('billing_events_by_time').on('billing_events').columns(['received_at']).execute();
}

/** Counters of a store that has been in use begin with what it holds; tenant 0 stands for the instance. */
async function countWhatIsThere(db: Kysely<unknown>): Promise<void> {
  for (const [name, value] of [
    ['traces', sql`count(*)`],
    ['spans', sql`sum(span_count)`],
    ['tokens', sql`sum(total_tokens)`],
    ['cost_usd', sql`coalesce(sum(cost_usd), 0)`],
  ] as const) {
    await sql`insert into figures (tenant_no, name, label, value)
      select tenant_no, ${sql.lit(name)}, '', ${value} from traces group by tenant_no`.execute(db);
  }
  await sql`insert into figures (tenant_no, name, label, value)
    select tenant_no, 'detections', detection_type || '/' || severity, count(*)
    from detections group by tenant_no, detection_type, severity`.execute(db);
  await sql`insert into figures (tenant_no, name, label, value)
    select 0, name, label, sum(value) from figures group by name, label`.execute(db);
}
