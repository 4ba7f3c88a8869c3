import { type RawBuilder, sql } from 'kysely';
import type { TraceOrder } from '../core/trace-order.ts';
import type { Db } from './connection.ts';
import { contains, escaped } from './contains.ts';
import { countRows } from './count-rows.ts';
import type { TraceTable } from './schema.ts';

export interface TraceFilter {
  traceIds?: readonly string[] | null;
  agentId: string | null;
  status: string | null;
  framework?: string | null;
  /** Traces of a coding agent's own bookkeeping, which are not runs, are omitted. */
  isRun?: boolean;
  /** Only sessions of coding agents. */
  isCodingSession?: boolean;
  /** Root folder of a session's project. */
  project?: string | null;
  branch?: string | null;
  endedBy?: string | null;
  /** The worst detection is one of these. */
  severities?: readonly string[] | null;
  /** The worst detection is this one. */
  severity?: string | null;
  /** One of its models. */
  model?: string | null;
  /** Quality score; from inclusive, below exclusive. */
  score?: { from: number; below: number } | null;
  minCostUsd?: number | null;
  /** With a model call whose cost is not known. */
  isUnpriced?: boolean;
  minDurationMs?: number | null;
  /** In name or task, ignoring case. */
  text?: string | null;
  /** In name, task, title, service, agents or models, ignoring case; or a prefix of the trace id. */
  search?: string | null;
  workflowId?: string | null;
  /** Of workflows. */
  groupId?: string | null;
  /** Unix milliseconds; from inclusive, to exclusive. */
  from: number | null;
  to: number | null;
  /** No span arrived at or after this time, Unix milliseconds. */
  receivedBefore?: number | null;
}

/** Position in a list; ties by id. */
export interface TracePosition {
  startedAt: number;
  traceId: string;
  /** The sort value; omitted in a list by start time. */
  value?: number | undefined;
}

export async function listTraces(
  db: Db,
  tenantNo: number,
  filter: TraceFilter,
  range: { after: TracePosition | null; offset: number; limit: number; order?: TraceOrder },
): Promise<TraceTable[]> {
  const { after, offset, limit, order = 'started_at' } = range;
  let query = filteredTraces(db, tenantNo, filter).selectAll('traces');
  const sorted = order === 'started_at' ? null : SORTED_BY[order];
  if (sorted !== null) query = query.orderBy(sorted, 'desc');
  query = query.orderBy('traces.started_at', 'desc').orderBy('traces.trace_id', 'desc');
  if (after) query = query.where(isAfter(after, sorted));
  return query.offset(offset).limit(limit).execute();
}

/** The sort expression of an order; -1 for a trace without that figure. */
const SORTED_BY: Readonly<Record<Exclude<TraceOrder, 'started_at'>, RawBuilder<number>>> = {
  failure_rank: sql`traces.rank_percent`,
  cost: sql`coalesce(traces.cost_usd, -1)`,
  duration: sql`coalesce(traces.ended_at - traces.started_at, -1)`,
  tokens: sql`traces.total_tokens`,
};

/** The sort value of a row; undefined for the order by start time. */
export function sortedValueOf(row: TraceTable, order: TraceOrder): number | undefined {
  if (order === 'failure_rank') return row.rank_percent;
  if (order === 'cost') return row.cost_usd ?? -1;
  if (order === 'duration') return row.ended_at === null ? -1 : row.ended_at - row.started_at;
  return order === 'tokens' ? row.total_tokens : undefined;
}

function isAfter({ startedAt, traceId, value }: TracePosition, sorted: RawBuilder<number> | null) {
  return sorted === null || value === undefined
    ? sql<boolean>`(traces.started_at, traces.trace_id) < (${startedAt}, ${traceId})`
    : sql<boolean>`(${sorted}, traces.started_at, traces.trace_id) < (${value}, ${startedAt}, ${traceId})`;
}

/** Ids in id order, after `after`. */
export async function listTraceIds(
  db: Db,
  tenantNo: number,
  filter: TraceFilter,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await filteredTraces(db, tenantNo, filter)
    .select('traces.trace_id')
    .where('traces.trace_id', '>', after)
    .orderBy('traces.trace_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.trace_id);
}

/** Ids in id order, after `after`, with their approximate number of spans. */
export async function listTraceSizes(
  db: Db,
  tenantNo: number,
  { after, limit }: { after: string; limit: number },
): Promise<{ traceId: string; spans: number }[]> {
  const rows = await db
    .selectFrom('traces')
    .select(['trace_id', 'span_count'])
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '>', after)
    .orderBy('trace_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ traceId: row.trace_id, spans: row.span_count }));
}

export async function countTraces(db: Db, tenantNo: number, filter: TraceFilter): Promise<number> {
  const row = await filteredTraces(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** The same, but stops at `limit`. */
export async function countTracesUpTo(db: Db, tenantNo: number, filter: TraceFilter, limit: number): Promise<number> {
  const limited = filteredTraces(db, tenantNo, filter).select('traces.trace_id').limit(limit).as('some');
  return countRows(db, limited);
}

export function filteredTraces(db: Db, tenantNo: number, filter: TraceFilter) {
  let query = db.selectFrom('traces').where('traces.tenant_no', '=', tenantNo);
  if (filter.traceIds) query = query.where('traces.trace_id', 'in', filter.traceIds);
  if (filter.status) query = query.where('traces.status', '=', filter.status);
  if (filter.framework) query = query.where('traces.framework', '=', filter.framework);
  if (filter.isRun) query = query.where('traces.is_bookkeeping', '=', 0);
  if (filter.isCodingSession) query = query.where('traces.ended_by', 'is not', null);
  if (filter.project) query = query.where('traces.project', '=', filter.project);
  if (filter.branch) query = query.where('traces.branch', '=', filter.branch);
  if (filter.endedBy) query = query.where('traces.ended_by', '=', filter.endedBy);
  if (filter.severities) query = query.where('traces.max_severity', 'in', filter.severities);
  if (filter.severity) query = query.where('traces.max_severity', '=', filter.severity);
  if (filter.model) query = query.where(usesModel(filter.model));
  if (filter.score) {
    const { from, below } = filter.score;
    query = query.where('traces.quality_score', '>=', from).where('traces.quality_score', '<', below);
  }
  if (filter.minCostUsd != null) query = query.where('traces.cost_usd', '>=', filter.minCostUsd);
  if (filter.isUnpriced)
    query = query
      .where('traces.cost_usd', 'is', null)
      .where((where) => where.or([where('traces.total_tokens', '>', 0), where('traces.models', '<>', '[]')]));
  if (filter.minDurationMs != null)
    query = query.where(sql<boolean>`traces.ended_at - traces.started_at >= ${filter.minDurationMs}`);
  if (filter.text) query = query.where(contains(TEXT_COLUMNS, filter.text));
  if (filter.search) query = query.where(matchesSearch(filter.search));
  if (filter.workflowId) query = query.where('traces.workflow_id', '=', filter.workflowId);
  if (filter.groupId) {
    query = query.where('traces.workflow_id', 'in', (workflows) =>
      workflows
        .selectFrom('workflows')
        .select('workflows.workflow_id')
        .where('workflows.tenant_no', '=', tenantNo)
        .where('workflows.group_id', '=', filter.groupId as string),
    );
  }
  if (filter.from !== null) query = query.where('traces.started_at', '>=', filter.from);
  if (filter.to !== null) query = query.where('traces.started_at', '<', filter.to);
  // Sequence numbers are microseconds.
  if (filter.receivedBefore != null) query = query.where('traces.version', '<', filter.receivedBefore * 1000);
  if (filter.agentId !== null) {
    query = query.where('traces.trace_id', 'in', (agents) =>
      agents
        .selectFrom('trace_agents')
        .select('trace_agents.trace_id')
        .where('trace_agents.tenant_no', '=', tenantNo)
        .where('trace_agents.agent_id', '=', filter.agentId as string),
    );
  }
  return query;
}

const TEXT_COLUMNS = sql<string>`traces.name || ' ' || coalesce(traces.task, '')`;
const SEARCHED_COLUMNS = sql<string>`${TEXT_COLUMNS} || ' ' || coalesce(traces.title, '') || ' ' || coalesce(traces.service_name, '')
  || ' ' || traces.agent_ids || ' ' || traces.models`;

function matchesSearch(text: string) {
  return sql<boolean>`(${contains(SEARCHED_COLUMNS, text)} or traces.trace_id like ${`${escaped(text)}%`} escape '\\')`;
}

/** A quote within a JSON string is escaped, so these quotes enclose a whole name. */
function usesModel(model: string) {
  const name = JSON.stringify(model);
  const has = (text: string) => sql<boolean>`replace(traces.models, ${text}, '') <> traces.models`;
  return sql<boolean>`(${has(`[${name}`)} or ${has(`,${name}`)})`;
}

/** Sessions of coding agents whose id, or trace id, equals this; otherwise those whose id has this prefix. */
export async function findCodingSessions(db: Db, tenantNo: number, id: string, limit: number): Promise<TraceTable[]> {
  const sessions = db
    .selectFrom('traces')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('ended_by', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(limit);
  const exact = await sessions
    .where((where) => where.or([where('session_id', '=', id), where('trace_id', '=', id)]))
    .execute();
  if (exact.length > 0) return exact;
  const idPrefix = `${escaped(id)}%`;
  return sessions.where(sql<boolean>`session_id like ${idPrefix} escape '\\'`).execute();
}
