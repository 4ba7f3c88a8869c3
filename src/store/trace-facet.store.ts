import { sql } from 'kysely';
import type { Db } from './connection.ts';
import { filteredTraces, type TraceFilter } from './trace-list.store.ts';

/** The columns of a trace that facets count. */
export interface FacetRow {
  status: string;
  framework: string;
  /** JSON arrays of names. */
  agent_ids: string;
  models: string;
  max_severity: string | null;
  quality_score: number | null;
  workflow_id: string | null;
}

/** Newest first, at most `limit`. */
export function listFacetRows(db: Db, tenantNo: number, filter: TraceFilter, limit: number): Promise<FacetRow[]> {
  return filteredTraces(db, tenantNo, filter)
    .select([
      'traces.status',
      'traces.framework',
      'traces.agent_ids',
      'traces.models',
      'traces.max_severity',
      'traces.quality_score',
      'traces.workflow_id',
    ])
    .orderBy('traces.started_at', 'desc')
    .orderBy('traces.trace_id', 'desc')
    .limit(limit)
    .execute();
}

/** Names of workflows by id. */
export async function workflowNames(db: Db, tenantNo: number, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('workflows')
    .select(['workflow_id', 'name'])
    .where('tenant_no', '=', tenantNo)
    .where('workflow_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.workflow_id, row.name]));
}

/** When the first and the last of the traces started, Unix milliseconds; null without traces. */
export async function startsOfTraces(
  db: Db,
  tenantNo: number,
  filter: TraceFilter,
): Promise<{ first: number; last: number } | null> {
  const row = await filteredTraces(db, tenantNo, filter)
    .select((select) => [select.fn.min('traces.started_at').as('first'), select.fn.max('traces.started_at').as('last')])
    .executeTakeFirst();
  return row?.first == null ? null : { first: Number(row.first), last: Number(row.last) };
}

export interface BucketCount {
  /** Number of whole steps since 1970. */
  bucket: number;
  status: string;
  count: number;
}

/** Traces by time of their start and by status. */
export async function countByTime(
  db: Db,
  tenantNo: number,
  filter: TraceFilter,
  stepMs: number,
): Promise<BucketCount[]> {
  const rows = await filteredTraces(db, tenantNo, filter)
    .select((select) => [
      sql<number>`cast(traces.started_at / ${stepMs} as integer)`.as('bucket'),
      'traces.status',
      select.fn.countAll<number>().as('count'),
    ])
    .groupBy(['bucket', 'traces.status'])
    .execute();
  return rows.map(({ bucket, status, count }) => ({ bucket: Number(bucket), status, count: Number(count) }));
}
