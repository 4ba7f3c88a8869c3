import { sql } from 'kysely';
import type { FigureDimension } from '../core/trace-figures.ts';
import type { Db } from './connection.ts';

/** Sums over the runs of one group that began in one step. */
export interface RunSums {
  /** Number of whole steps since 1970. */
  bucket: number;
  key: string | null;
  runs: number;
  errors: number;
  cost: number;
  tokens: number;
  duration: number;
  /** Runs that have ended. */
  ended: number;
  score: number;
  /** Runs that have a score. */
  scored: number;
}

/** Unix milliseconds; from inclusive, to exclusive. */
export interface TimeRange {
  from: number;
  to: number;
  stepMs: number;
}

const KEYS = {
  none: sql<null>`null`,
  status: sql<string>`status`,
  framework: sql<string>`framework`,
  service: sql<string | null>`service_name`,
  workflow: sql<string | null>`workflow_id`,
} as const;
export type RunGrouping = keyof typeof KEYS;

export async function sumRuns(
  db: Db,
  tenantNo: number,
  by: RunGrouping,
  { from, to, stepMs }: TimeRange,
): Promise<RunSums[]> {
  const { rows } = await sql<RunSums>`
    select cast(started_at / ${stepMs} as integer) as bucket, ${KEYS[by]} as key, count(*) as runs,
      sum(case when status = 'error' then 1 else 0 end) as errors, coalesce(sum(cost_usd), 0) as cost, sum(total_tokens) as tokens,
      coalesce(sum(case when ended_at > started_at then ended_at - started_at else 0 end), 0) as duration, count(ended_at) as ended,
      coalesce(sum(quality_score), 0) as score, count(quality_score) as scored
    from traces
    where tenant_no = ${tenantNo} and started_at >= ${from} and started_at < ${to} and is_bookkeeping = 0
    group by 1, 2`.execute(db);
  return rows;
}

/** Runs and tokens of each agent. */
export async function sumAgents(
  db: Db,
  tenantNo: number,
  { from, to, stepMs }: TimeRange,
): Promise<Pick<RunSums, 'bucket' | 'key' | 'runs' | 'tokens'>[]> {
  const { rows } = await sql<Pick<RunSums, 'bucket' | 'key' | 'runs' | 'tokens'>>`
    select cast(started_at / ${stepMs} as integer) as bucket, agent_id as key, count(*) as runs,
      sum(tokens_used) as tokens
    from trace_agents
    where tenant_no = ${tenantNo} and started_at >= ${from} and started_at < ${to}
    group by 1, 2`.execute(db);
  return rows;
}

export interface DaySums {
  day: number;
  label: string;
  count: number;
  tokens: number;
  cost_nano_usd: number;
}

/** Both days inclusive. */
export function sumDays(
  db: Db,
  tenantNo: number,
  dimension: FigureDimension,
  { from, to }: { from: number; to: number },
): Promise<DaySums[]> {
  return db
    .selectFrom('daily_figures')
    .select(['day', 'label', 'count', 'tokens', 'cost_nano_usd'])
    .where('tenant_no', '=', tenantNo)
    .where('dimension', '=', dimension)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute();
}
