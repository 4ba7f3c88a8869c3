import { type ExpressionBuilder, sql } from 'kysely';
import type { TraceOrder } from '../core/trace-order.ts';
import type { Db } from './connection.ts';
import type { Database, TraceTable } from './schema.ts';

export interface TraceFilter {
  agentId: string | null;
  status: string | null;
  framework?: string | null;
  /** Traces of a coding agent's own bookkeeping, which are no runs, are left out. */
  isRun?: boolean;
  /** Only sessions of coding agents. */
  isCodingSession?: boolean;
  /** Root folder of a session's project. */
  project?: string | null;
  branch?: string | null;
  endedBy?: string | null;
  /** The worst finding is one of these. */
  severities?: readonly string[] | null;
  /** Stands in name or task, whatever its case. */
  text?: string | null;
  workflowId?: string | null;
  /** Of workflows. */
  groupId?: string | null;
  /** Unix milliseconds; from inclusive, to exclusive. */
  from: number | null;
  to: number | null;
  /** Nothing of it came at or after this time, Unix milliseconds. */
  receivedBefore?: number | null;
}

/** Where a list goes on; ties by id. */
export interface TracePosition {
  startedAt: number;
  traceId: string;
  /** Left out in a list by start. */
  rankPercent?: number | undefined;
}

export async function listTraces(
  db: Db,
  tenantNo: number,
  filter: TraceFilter,
  range: { after: TracePosition | null; offset: number; limit: number; order?: TraceOrder },
): Promise<TraceTable[]> {
  const { after, offset, limit, order = 'started_at' } = range;
  let query = filtered(db, tenantNo, filter).selectAll('traces');
  if (order === 'failure_rank') query = query.orderBy('traces.rank_percent', 'desc');
  query = query.orderBy('traces.started_at', 'desc').orderBy('traces.trace_id', 'desc');
  if (after) query = query.where(isBehind(after));
  return query.offset(offset).limit(limit).execute();
}

function isBehind({ startedAt, traceId, rankPercent }: TracePosition) {
  return (where: ExpressionBuilder<Database, 'traces'>) =>
    rankPercent === undefined
      ? where(where.refTuple('traces.started_at', 'traces.trace_id'), '<', where.tuple(startedAt, traceId))
      : where(
          where.refTuple('traces.rank_percent', 'traces.started_at', 'traces.trace_id'),
          '<',
          where.tuple(rankPercent, startedAt, traceId),
        );
}

/** Ids in their own order, from behind `after` on. */
export async function listTraceIds(
  db: Db,
  tenantNo: number,
  filter: TraceFilter,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await filtered(db, tenantNo, filter)
    .select('traces.trace_id')
    .where('traces.trace_id', '>', after)
    .orderBy('traces.trace_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.trace_id);
}

/** Ids in their own order, from behind `after` on, with how many spans each has about. */
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
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, filter: TraceFilter) {
  let query = db.selectFrom('traces').where('traces.tenant_no', '=', tenantNo);
  if (filter.status) query = query.where('traces.status', '=', filter.status);
  if (filter.framework) query = query.where('traces.framework', '=', filter.framework);
  if (filter.isRun) query = query.where('traces.is_bookkeeping', '=', 0);
  if (filter.isCodingSession) query = query.where('traces.ended_by', 'is not', null);
  if (filter.project) query = query.where('traces.project', '=', filter.project);
  if (filter.branch) query = query.where('traces.branch', '=', filter.branch);
  if (filter.endedBy) query = query.where('traces.ended_by', '=', filter.endedBy);
  if (filter.severities) query = query.where('traces.max_severity', 'in', filter.severities);
  if (filter.text) query = query.where(contains(filter.text));
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
  // The order of arrival counts in microseconds.
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

/** Both sides go through the database's `lower`, which knows its own letters. */
function contains(text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(traces.name || ' ' || coalesce(traces.task, '')) like lower(${pattern}) escape '\\'`;
}

/** Sessions of coding agents whose id, or whose trace's id, is this; else those whose id begins so. */
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
  const beginning = `${id.replace(/[\\%_]/g, '\\$&')}%`;
  return sessions.where(sql<boolean>`session_id like ${beginning} escape '\\'`).execute();
}
