import { BulkStatement } from './bulk-statement.ts';
import type { Db } from './connection.ts';
import { UNRANKED } from './failure-rank.store.ts';
import type { TraceTable } from './schema.ts';
import { inBatches } from './transaction.ts';

/** Facts about a trace from the spans of one request, before it is analyzed. */
export interface TraceTouch {
  tenantNo: number;
  traceId: string;
  sequence: number;
  /** Name of the root span, or of the first received span. */
  name: string;
  isRootSeen: boolean;
  hasRootEnded: boolean;
  serviceName: string | null;
  startedAt: number;
  endedAt: number | null;
  newSpans: number;
  /** Sent as history: it triggers no alerts. */
  isHistory: boolean;
  /** Every span is a coding agent's own bookkeeping. */
  isBookkeeping: boolean;
}

export interface TouchedTrace {
  tenantNo: number;
  traceId: string;
  hasRootEnded: boolean;
  /** Whether it is new. */
  isNew: boolean;
  isBookkeeping: boolean;
  /** Start of the run by its sender's clock, Unix milliseconds. */
  startedAt: number;
  /** Time of the last analysis, otherwise of the first arrival, Unix milliseconds. */
  analyzedAt: number;
  name: string;
  framework: string;
  status: string;
  spanCount: number;
}

const ROWS_PER_STATEMENT = 100;

/** In the order of the columns in `newTrace`. */
const TRACE_COLUMNS: readonly (keyof TraceTable)[] = [
  'tenant_no',
  'trace_id',
  'framework',
  'service_name',
  'name',
  'task',
  'status',
  'session_id',
  'thread_id',
  'started_at',
  'ended_at',
  'span_count',
  'state_count',
  'agent_ids',
  'listed_at',
  'models',
  'total_tokens',
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'detection_count',
  'max_severity',
  'quality_score',
  'version',
  'analyzed_version',
  'root_seen',
  'root_ended',
  'is_settled',
  'is_history',
  'figures',
  'figures_day',
  'workflow_id',
  'given_up_reason',
  'given_up_at',
  'left_out',
  'title',
  'project',
  'branch',
  'ended_by',
  'session_digest',
  'is_bookkeeping',
  'traffic',
  'risk_columns',
  'rank_percent',
  'updated_at',
];

type Touched = Pick<
  TraceTable,
  | 'tenant_no'
  | 'trace_id'
  | 'root_ended'
  | 'span_count'
  | 'is_bookkeeping'
  | 'started_at'
  | 'updated_at'
  | 'name'
  | 'framework'
  | 'status'
>;

const TOUCH_TRACES = new BulkStatement<TraceTable, Touched>({
  columns: TRACE_COLUMNS,
  build: (db, rows) =>
    db
      .insertInto('traces')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'trace_id']).doUpdateSet((update) => {
          const smaller = update('excluded.started_at', '<', update.ref('traces.started_at'));
          const later = update.or([
            update('traces.ended_at', 'is', null),
            update('excluded.ended_at', '>', update.ref('traces.ended_at')),
          ]);
          const isRoot = update('excluded.root_seen', '=', 1);
          return {
            started_at: update
              .case()
              .when(smaller)
              .then(update.ref('excluded.started_at'))
              .else(update.ref('traces.started_at'))
              .end(),
            ended_at: update
              .case()
              .when(later)
              .then(update.ref('excluded.ended_at'))
              .else(update.ref('traces.ended_at'))
              .end(),
            name: update.case().when(isRoot).then(update.ref('excluded.name')).else(update.ref('traces.name')).end(),
            service_name: update.fn.coalesce('excluded.service_name', 'traces.service_name'),
            span_count: update('traces.span_count', '+', update.ref('excluded.span_count')),
            // Two processes may count from the same millisecond: every touch must be distinct.
            version: update
              .case()
              .when('excluded.version', '>', update.ref('traces.version'))
              .then(update.ref('excluded.version'))
              .else(update('traces.version', '+', 1))
              .end(),
            root_ended: update
              .case()
              .when('excluded.root_ended', '=', 1)
              .then(1)
              // A root that begins after everything known: an idle run continues.
              .when(update.and([isRoot, update('excluded.started_at', '>', update.ref('traces.ended_at'))]))
              .then(0)
              .else(update.ref('traces.root_ended'))
              .end(),
            // A trace that also receives live spans is not history.
            is_history: update
              .case()
              .when('excluded.is_history', '=', 0)
              .then(0)
              .else(update.ref('traces.is_history'))
              .end(),
            is_bookkeeping: update
              .case()
              .when('excluded.is_bookkeeping', '=', 0)
              .then(0)
              .else(update.ref('traces.is_bookkeeping'))
              .end(),
            is_settled: 0,
            // It will be analyzed again with the new spans.
            given_up_reason: null,
            given_up_at: null,
            // Bookkeeping is not analyzed, so nothing later marks it as ended.
            status: update
              .case()
              .when(update.and([update('excluded.is_bookkeeping', '=', 1), update('traces.is_bookkeeping', '=', 1)]))
              .then('ok')
              .else('running')
              .end(),
          };
        }),
      )
      .returning([
        'tenant_no',
        'trace_id',
        'root_ended',
        'span_count',
        'is_bookkeeping',
        'started_at',
        'updated_at',
        'name',
        'framework',
        'status',
      ])
      .compile(),
});

/** Creates or reopens traces; figures that need the whole trace are computed by its analysis. At most one touch per trace. */
export async function touchTraces(db: Db, touches: readonly TraceTouch[], now: number): Promise<TouchedTrace[]> {
  const rows = await TOUCH_TRACES.run(
    db,
    touches.map((touch) => newTrace(touch, now)),
  );
  const newSpans = new Map(touches.map((touch) => [`${touch.tenantNo} ${touch.traceId}`, touch.newSpans]));
  return rows.map((row) => {
    // An existing trace had at least one span of its own.
    const isNew = row.span_count > 0 && row.span_count === newSpans.get(`${row.tenant_no} ${row.trace_id}`);
    return {
      tenantNo: row.tenant_no,
      traceId: row.trace_id,
      hasRootEnded: row.root_ended === 1,
      isNew,
      isBookkeeping: row.is_bookkeeping === 1,
      startedAt: row.started_at,
      analyzedAt: row.updated_at,
      name: row.name,
      framework: row.framework,
      status: row.status,
      spanCount: row.span_count,
    };
  });
}

function newTrace(touch: TraceTouch, now: number): TraceTable {
  return {
    tenant_no: touch.tenantNo,
    trace_id: touch.traceId,
    framework: 'unknown',
    service_name: touch.serviceName,
    name: touch.name,
    task: null,
    status: touch.isBookkeeping ? 'ok' : 'running',
    session_id: null,
    thread_id: null,
    started_at: touch.startedAt,
    ended_at: touch.endedAt,
    span_count: touch.newSpans,
    state_count: 0,
    agent_ids: '[]',
    listed_at: null,
    models: '[]',
    total_tokens: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: null,
    detection_count: 0,
    max_severity: null,
    quality_score: null,
    version: touch.sequence,
    analyzed_version: null,
    root_seen: touch.isRootSeen ? 1 : 0,
    root_ended: touch.hasRootEnded ? 1 : 0,
    is_settled: 0,
    is_history: touch.isHistory ? 1 : 0,
    figures: null,
    figures_day: null,
    workflow_id: null,
    given_up_reason: null,
    given_up_at: null,
    left_out: null,
    title: null,
    project: null,
    branch: null,
    ended_by: null,
    session_digest: null,
    is_bookkeeping: touch.isBookkeeping ? 1 : 0,
    traffic: null,
    risk_columns: null,
    rank_percent: UNRANKED,
    updated_at: now,
  };
}

export async function readTrace(db: Db, tenantNo: number, traceId: string): Promise<TraceTable | null> {
  const row = await db
    .selectFrom('traces')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  return row ?? null;
}

/** The rows that exist, by trace id. */
export async function readTraces(
  db: Db,
  tenantNo: number,
  traceIds: readonly string[],
): Promise<Map<string, TraceTable>> {
  const rows = await db
    .selectFrom('traces')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .execute();
  return new Map(rows.map((row) => [row.trace_id, row]));
}

/** Writes whole rows of traces that exist. */
export async function saveTraces(db: Db, rows: readonly TraceTable[]): Promise<void> {
  for (const slice of inBatches(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('traces')
      .values(slice)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'trace_id']).doUpdateSet((update) => ({
          framework: update.ref('excluded.framework'),
          service_name: update.ref('excluded.service_name'),
          name: update.ref('excluded.name'),
          task: update.ref('excluded.task'),
          status: update.ref('excluded.status'),
          session_id: update.ref('excluded.session_id'),
          thread_id: update.ref('excluded.thread_id'),
          started_at: update.ref('excluded.started_at'),
          ended_at: update.ref('excluded.ended_at'),
          span_count: update.ref('excluded.span_count'),
          state_count: update.ref('excluded.state_count'),
          agent_ids: update.ref('excluded.agent_ids'),
          listed_at: update.ref('excluded.listed_at'),
          models: update.ref('excluded.models'),
          total_tokens: update.ref('excluded.total_tokens'),
          input_tokens: update.ref('excluded.input_tokens'),
          output_tokens: update.ref('excluded.output_tokens'),
          cost_usd: update.ref('excluded.cost_usd'),
          detection_count: update.ref('excluded.detection_count'),
          max_severity: update.ref('excluded.max_severity'),
          quality_score: update.ref('excluded.quality_score'),
          analyzed_version: update.ref('excluded.analyzed_version'),
          is_settled: update.ref('excluded.is_settled'),
          figures: update.ref('excluded.figures'),
          figures_day: update.ref('excluded.figures_day'),
          workflow_id: update.ref('excluded.workflow_id'),
          given_up_reason: update.ref('excluded.given_up_reason'),
          given_up_at: update.ref('excluded.given_up_at'),
          left_out: update.ref('excluded.left_out'),
          title: update.ref('excluded.title'),
          project: update.ref('excluded.project'),
          branch: update.ref('excluded.branch'),
          ended_by: update.ref('excluded.ended_by'),
          session_digest: update.ref('excluded.session_digest'),
          traffic: update.ref('excluded.traffic'),
          risk_columns: update.ref('excluded.risk_columns'),
          rank_percent: update.ref('excluded.rank_percent'),
          updated_at: update.ref('excluded.updated_at'),
        })),
      )
      .execute();
  }
}

/** Traces by id, after `last`, that were analyzed before figures were stored. */
export function tracesWithoutFigures(db: Db, tenantNo: number, last: string, limit: number): Promise<TraceTable[]> {
  return db
    .selectFrom('traces')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '>', last)
    .where('listed_at', 'is not', null)
    .where('figures', 'is', null)
    .orderBy('trace_id')
    .limit(limit)
    .execute();
}
