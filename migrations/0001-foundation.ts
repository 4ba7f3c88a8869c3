import type { CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

// biome-ignore lint/suspicious/noExplicitAny: the builder's type grows with each column, which no one reads here
type AnyTable = CreateTableBuilder<any, any>;

/** Tenants, keys, traces with their span chunks, detections, issues, jobs and the outbox. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const create of [identity, traces, detections, work]) await create(db, types);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES.toReversed()) await db.schema.dropTable(table).execute();
}

const TABLES = [
  'tenants',
  'api_keys',
  'signing_keys',
  'traces',
  'trace_agents',
  'agents',
  'span_chunks',
  'detections',
  'issues',
  'jobs',
  'outbox',
  'idempotency_keys',
  'drained_files',
  'instance',
  'settings',
];

async function identity(db: Kysely<unknown>, { serial, bigint }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('tenants')
    .addColumn('tenant_no', serial, (column) => column.primaryKey())
    .addColumn('tenant_id', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .execute();
  await tenantTable(db, 'api_keys')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('expires_at', bigint)
    .addColumn('last_used_at', bigint)
    .addColumn('revoked_at', bigint)
    .addPrimaryKeyConstraint('api_keys_pk', ['tenant_no', 'key_id'])
    .execute();
  await db.schema.createIndex('api_keys_by_id').on('api_keys').column('key_id').unique().execute();
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('retired_at', bigint)
    .execute();
  await tenantTable(db, 'settings')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('settings_pk', ['tenant_no', 'name'])
    .execute();
  await db.schema
    .createTable('instance')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}

async function traces(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { bigint, double, bytes, keyed } = types;
  await tenantTable(db, 'traces')
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('framework', 'text', (column) => column.notNull())
    .addColumn('service_name', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('task', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('thread_id', 'text')
    .addColumn('started_at', bigint, (column) => column.notNull())
    .addColumn('ended_at', bigint)
    .addColumn('span_count', 'integer', (column) => column.notNull())
    .addColumn('state_count', 'integer', (column) => column.notNull())
    .addColumn('agent_ids', 'text', (column) => column.notNull())
    .addColumn('listed_at', bigint)
    .addColumn('models', 'text', (column) => column.notNull())
    .addColumn('total_tokens', bigint, (column) => column.notNull())
    .addColumn('input_tokens', bigint, (column) => column.notNull())
    .addColumn('output_tokens', bigint, (column) => column.notNull())
    .addColumn('cost_usd', double)
    .addColumn('detection_count', 'integer', (column) => column.notNull())
    .addColumn('max_severity', 'text')
    .addColumn('quality_score', double)
    .addColumn('version', bigint, (column) => column.notNull())
    .addColumn('analyzed_version', bigint)
    .addColumn('root_seen', 'integer', (column) => column.notNull())
    .addColumn('root_ended', 'integer', (column) => column.notNull())
    .addColumn('is_settled', 'integer', (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('traces_pk', ['tenant_no', 'trace_id'])
    .execute();
  await index(db, 'traces_by_start', 'traces', ['tenant_no', 'started_at', 'trace_id']);
  await index(db, 'traces_by_status', 'traces', ['tenant_no', 'status', 'started_at', 'trace_id']);

  await tenantTable(db, 'trace_agents')
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('started_at', bigint, (column) => column.notNull())
    .$call((table) => agentFigures(table, types))
    .addPrimaryKeyConstraint('trace_agents_pk', ['tenant_no', 'agent_id', 'started_at', 'trace_id'])
    .modifyEnd(keyed)
    .execute();

  await tenantTable(db, 'agents')
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .$call((table) => agentFigures(table, types))
    .addPrimaryKeyConstraint('agents_pk', ['tenant_no', 'agent_id'])
    .modifyEnd(keyed)
    .execute();

  await tenantTable(db, 'span_chunks')
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('sequence', bigint, (column) => column.notNull())
    .addColumn('first_sequence', bigint, (column) => column.notNull())
    .addColumn('content_hash', bytes, (column) => column.notNull())
    .addColumn('span_count', 'integer', (column) => column.notNull())
    .addColumn('data', bytes, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('span_chunks_by_content')
    .on('span_chunks')
    .columns(['tenant_no', 'trace_id', 'content_hash'])
    .unique()
    .execute();
}

function agentFigures(table: AnyTable, { bigint, double }: ColumnTypes): AnyTable {
  return table
    .addColumn('step_count', 'integer', (column) => column.notNull())
    .addColumn('tokens_used', bigint, (column) => column.notNull())
    .addColumn('latency_sum_ms', double, (column) => column.notNull())
    .addColumn('latency_count', 'integer', (column) => column.notNull())
    .addColumn('last_active_at', bigint, (column) => column.notNull());
}

async function detections(db: Kysely<unknown>, { bigint, double }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'detections')
    .addColumn('detection_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text')
    .addColumn('detection_type', 'text', (column) => column.notNull())
    .addColumn('subtype', 'text', (column) => column.notNull())
    .addColumn('first_span_id', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text')
    .addColumn('step', 'integer')
    .addColumn('confidence', double, (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('is_calibrated', 'integer', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('issue_id', 'text')
    .addColumn('wasted_tokens', bigint, (column) => column.notNull())
    .addColumn('wasted_cost_usd', double, (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('validated', 'integer', (column) => column.notNull())
    .addColumn('is_valid', 'integer')
    .addColumn('feedback', 'text')
    .addColumn('validated_at', bigint)
    .addColumn('withdrawn_at', bigint)
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('detections_pk', ['tenant_no', 'detection_id'])
    .addUniqueConstraint('detections_identity', ['tenant_no', 'trace_id', 'detection_type', 'subtype', 'first_span_id'])
    .execute();
  await index(db, 'detections_by_time', 'detections', ['tenant_no', 'created_at', 'detection_id']);
  await index(db, 'detections_by_type', 'detections', ['tenant_no', 'detection_type', 'created_at']);
  await index(db, 'detections_by_issue', 'detections', ['tenant_no', 'issue_id', 'created_at']);

  await tenantTable(db, 'issues')
    .addColumn('issue_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('detection_type', 'text', (column) => column.notNull())
    .addColumn('subtype', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('first_seen_at', bigint, (column) => column.notNull())
    .addColumn('last_seen_at', bigint, (column) => column.notNull())
    .addColumn('resolved_at', bigint)
    .addPrimaryKeyConstraint('issues_pk', ['tenant_no', 'issue_id'])
    .addUniqueConstraint('issues_fingerprint', ['tenant_no', 'fingerprint'])
    .execute();
  await index(db, 'issues_by_time', 'issues', ['tenant_no', 'last_seen_at', 'issue_id']);
}

async function work(db: Kysely<unknown>, { bigint, keyed }: ColumnTypes): Promise<void> {
  await tenantTable(db, 'jobs')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('run_at', bigint, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('leased_until', bigint, (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addPrimaryKeyConstraint('jobs_pk', ['tenant_no', 'kind', 'key'])
    .modifyEnd(keyed)
    .execute();
  await index(db, 'jobs_by_time', 'jobs', ['kind', 'run_at']);

  await tenantTable(db, 'outbox')
    .addColumn('outbox_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('deliver_after', bigint, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('delivered_at', bigint)
    .addPrimaryKeyConstraint('outbox_pk', ['tenant_no', 'outbox_id'])
    .execute();

  await tenantTable(db, 'idempotency_keys')
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('response', 'text')
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['tenant_no', 'idempotency_key'])
    .execute();

  await db.schema
    .createTable('drained_files')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('drained_at', bigint, (column) => column.notNull())
    .execute();
}

function tenantTable(db: Kysely<unknown>, name: string): AnyTable {
  return db.schema.createTable(name).addColumn('tenant_no', 'integer', (column) => column.notNull());
}

async function index(db: Kysely<unknown>, name: string, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(name)
    .on(table)
    .columns(columns as never)
    .execute();
}
