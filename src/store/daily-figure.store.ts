import type { ExpressionBuilder } from 'kysely';
import type { FigureDimension } from '../core/trace-figures.ts';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/** Both inclusive, days since 1970-01-01. */
export interface DayRange {
  from: number;
  to: number;
}

export interface FigureSums {
  count: number;
  tokens: number;
  cost_nano_usd: number;
  amount: number;
}

/** Sums of one dimension over the days, by label, greatest count first. */
export async function sumByLabel(
  db: Db,
  tenantNo: number,
  dimension: FigureDimension,
  { from, to }: DayRange,
  limit?: number,
): Promise<(FigureSums & { label: string })[]> {
  let query = db
    .selectFrom('daily_figures')
    .select((select) => ['label', ...figureSums(select)])
    .where('tenant_no', '=', tenantNo)
    .where('dimension', '=', dimension)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('label')
    .orderBy('count', 'desc')
    .orderBy('label');
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map((row) => ({ label: row.label, ...toSums(row) }));
}

/** Sums of one dimension by day, oldest first; days without figures are left out. */
export async function sumByDay(
  db: Db,
  tenantNo: number,
  dimension: FigureDimension,
  { from, to }: DayRange,
): Promise<(FigureSums & { day: number })[]> {
  const rows = await db
    .selectFrom('daily_figures')
    .select((select) => ['day', ...figureSums(select)])
    .where('tenant_no', '=', tenantNo)
    .where('dimension', '=', dimension)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('day')
    .orderBy('day')
    .execute();
  return rows.map((row) => ({ day: Number(row.day), ...toSums(row) }));
}

function figureSums({ fn }: ExpressionBuilder<Database, 'daily_figures'>) {
  return [
    fn.sum('count').as('count'),
    fn.sum('tokens').as('tokens'),
    fn.sum('cost_nano_usd').as('cost_nano_usd'),
    fn.sum('amount').as('amount'),
  ] as const;
}

/** Databases return sums of integers as numbers, as big integers or as text. */
function toSums(row: Record<keyof FigureSums, unknown>): FigureSums {
  return {
    count: Number(row.count),
    tokens: Number(row.tokens),
    cost_nano_usd: Number(row.cost_nano_usd),
    amount: Number(row.amount),
  };
}

export interface CostlyTrace {
  trace_id: string;
  name: string;
  framework: string;
  started_at: number;
  total_tokens: number;
  cost_usd: number;
}

/** Days of the range by the cost of their costliest trace, highest first: one index lookup per day. */
export async function costliestDays(
  db: Db,
  tenantNo: number,
  { from, to }: DayRange,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom((days) =>
      days
        .selectFrom('daily_figures')
        .select('day')
        .distinct()
        .where('tenant_no', '=', tenantNo)
        .where('dimension', '=', 'framework')
        .where('day', '>=', from)
        .where('day', '<=', to)
        .as('days'),
    )
    .select((traces) => [
      'days.day',
      traces
        .selectFrom('traces')
        .select('traces.cost_usd')
        .where('traces.tenant_no', '=', tenantNo)
        .whereRef('traces.figures_day', '=', 'days.day')
        .where('traces.cost_usd', '>', 0)
        .orderBy('traces.cost_usd', 'desc')
        .limit(1)
        .as('highest'),
    ])
    .orderBy('highest', (order) => order.desc().nullsLast())
    .limit(limit)
    .execute();
  return rows.map((row) => Number(row.day));
}

/** The traces of one day that cost most, by index. */
export async function costliestOfDay(db: Db, tenantNo: number, day: number, limit: number): Promise<CostlyTrace[]> {
  const rows = await db
    .selectFrom('traces')
    .select(['trace_id', 'name', 'framework', 'started_at', 'total_tokens', 'cost_usd'])
    .where('tenant_no', '=', tenantNo)
    .where('figures_day', '=', day)
    .where('cost_usd', '>', 0)
    .orderBy('cost_usd', 'desc')
    .orderBy('trace_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, cost_usd: row.cost_usd ?? 0 }));
}
