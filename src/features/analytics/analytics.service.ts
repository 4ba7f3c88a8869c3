import type { Kysely } from 'kysely';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import type { DetectionType } from '../../core/detection.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { dateOfDay, dayOf, fromNanoUsd } from '../../core/trace-figures.ts';
import {
  type CostlyTrace,
  costliestDays,
  costliestOfDay,
  type DayRange,
  type FigureSums,
  sumByDay,
  sumByLabel,
} from '../../store/daily-figure.store.ts';
import type { Database } from '../../store/schema.ts';
import type { CallOptions } from '../_kit/caller.ts';
import { gradeOf } from '../detections/quality.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { type CostAnalytics, type LoopAnalytics, type QualityAnalytics, SCORE_BANDS } from './analytics.record.ts';
import {
  addMissingFigures,
  catchUpFigures,
  type FiguresWork,
  type RebuiltFigures,
  rebuildFigures,
} from './rebuild-figures.ts';
import { type AnalyticsSeries, type SeriesRequest, sourceOf } from './series.record.ts';
import { analyticsSeriesTask } from './series.tasks.ts';

/** Figures of the last `days` UTC days, including today; a trace counts on the day it started. */
export interface AnalyticsService {
  loops(tenantId: string, days: number): Promise<LoopAnalytics>;
  cost(tenantId: string, days: number): Promise<CostAnalytics>;
  quality(tenantId: string, days: number): Promise<QualityAnalytics>;
  /** One figure over time. @throws AppError `invalid_query` for a combination that is not stored */
  series(tenantId: string, request: SeriesRequest, callOptions?: CallOptions): Promise<JsonText<AnalyticsSeries>>;
  /** Adds traces that were analyzed before figures were stored, and rebuilds all figures. */
  rebuild(tenantId: string): Promise<RebuiltFigures>;
  /** Completes work that an earlier version, or a process that ended, left for any tenant. @returns traces that were added */
  catchUp(): Promise<number>;
  /** Stops this work after the current batch; a later run continues from there. */
  close(): void;
}

const MAX_AGENTS = 100;
const TOP = 10;

export function createAnalyticsService(options: {
  db: Kysely<Database>;
  clock: Clock;
  models: ModelCatalog;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): AnalyticsService {
  const { db, clock, models, tasks, tenantNoOf } = options;
  let isClosing = false;
  const work: FiguresWork = { db, models, now: () => clock.now(), isStopped: () => isClosing };

  const lastDays = (days: number): DayRange => {
    const to = dayOf(clock.now());
    return { from: to - days + 1, to };
  };

  return {
    async loops(tenantId, days) {
      const tenantNo = await tenantNoOf(tenantId);
      const range = lastDays(days);
      const methods = await sumByLabel(db, tenantNo, 'loop', range);
      const agents = await sumByLabel(db, tenantNo, 'loop_agent', range, MAX_AGENTS);
      const byDay = await sumByDay(db, tenantNo, 'loop', range);
      const all = total(methods);
      return {
        ...toRangeRecord(range),
        total: all.count,
        by_method: Object.fromEntries(methods.map(({ label, count }) => [label, count])),
        average_length: mean(all.amount, all.count),
        wasted_tokens: all.tokens,
        wasted_cost_usd: fromNanoUsd(all.cost_nano_usd),
        affected_agents: agents.map(({ label, count }) => ({ agent_id: label, count })),
        time_series: eachDay(range, byDay, (date, { count }) => ({ date, count })),
      };
    },
    async cost(tenantId, days) {
      const tenantNo = await tenantNoOf(tenantId);
      const range = lastDays(days);
      const frameworks = await sumByLabel(db, tenantNo, 'framework', range);
      const models = await sumByLabel(db, tenantNo, 'model', range);
      const byDay = await sumByDay(db, tenantNo, 'framework', range);
      const all = total(frameworks);
      const wasted = total(await sumByLabel(db, tenantNo, 'detection', range));
      return {
        ...toRangeRecord(range),
        total_cost_usd: fromNanoUsd(all.cost_nano_usd),
        wasted_cost_usd: fromNanoUsd(wasted.cost_nano_usd),
        wasted_tokens: wasted.tokens,
        total_tokens: all.tokens,
        total_traces: all.count,
        unpriced_traces: all.amount,
        by_framework: toSpending(frameworks),
        by_model: toSpending(models),
        by_day: eachDay(range, byDay, (date, { cost_nano_usd, tokens }) => {
          return { date, cost_usd: fromNanoUsd(cost_nano_usd), tokens };
        }),
        top_traces: (await costliest(tenantNo, range)).map(({ started_at, ...trace }) => {
          return { ...trace, started_at: toRfc3339(started_at) };
        }),
      };
    },
    async series(tenantId, request, { signal } = {}) {
      sourceOf(request);
      const tenantNo = await tenantNoOf(tenantId);
      return tasks.start(analyticsSeriesTask, { tenantNo, request, now: clock.now() }, { tenantNo, signal });
    },
    async rebuild(tenantId) {
      const tenantNo = await tenantNoOf(tenantId);
      const added = await addMissingFigures(work, tenantNo);
      return { traces: await rebuildFigures(work, tenantNo), added };
    },
    catchUp: () => catchUpFigures(work),
    close() {
      isClosing = true;
    },
    async quality(tenantId, days) {
      const tenantNo = await tenantNoOf(tenantId);
      const range = lastDays(days);
      const bands = await sumByLabel(db, tenantNo, 'score', range);
      const byDay = await sumByDay(db, tenantNo, 'score', range);
      const detections = await sumByLabel(db, tenantNo, 'detection', range, TOP);
      const all = total(bands);
      return {
        ...toRangeRecord(range),
        total: all.count,
        average: mean(all.amount / 10, all.count),
        ...toDistribution(bands),
        trend: eachDay(range, byDay, (date, { count, amount }) => ({ date, average: mean(amount / 10, count), count })),
        top_detections: detections.map(({ label, count }) => ({ detection_type: label as DetectionType, count })),
      };
    },
  };

  /** The ten costliest traces are on the ten days with the costliest traces. */
  async function costliest(tenantNo: number, range: DayRange): Promise<CostlyTrace[]> {
    const found: CostlyTrace[] = [];
    for (const day of await costliestDays(db, tenantNo, range, TOP))
      found.push(...(await costliestOfDay(db, tenantNo, day, TOP)));
    return found.sort(costliestFirst).slice(0, TOP);
  }
}

/** Traces of equal cost by name, the newest first. */
function costliestFirst(one: CostlyTrace, other: CostlyTrace): number {
  if (one.cost_usd !== other.cost_usd) return other.cost_usd - one.cost_usd;
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  if (one.started_at !== other.started_at) return other.started_at - one.started_at;
  return one.trace_id < other.trace_id ? 1 : -1;
}

function toRangeRecord({ from, to }: DayRange) {
  return { days: to - from + 1, date_from: dateOfDay(from), date_to: dateOfDay(to) };
}

const NOTHING: FigureSums = { count: 0, tokens: 0, cost_nano_usd: 0, amount: 0 };

function total(rows: readonly FigureSums[]): FigureSums {
  const sum = { ...NOTHING };
  for (const row of rows) for (const key of Object.keys(NOTHING) as (keyof FigureSums)[]) sum[key] += row[key];
  return sum;
}

/** Two decimals; null if there is nothing. */
function mean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 100) / 100;
}

function eachDay<Row>(
  { from, to }: DayRange,
  byDay: readonly (FigureSums & { day: number })[],
  toRow: (date: string, sums: FigureSums) => Row,
): Row[] {
  const known = new Map(byDay.map((sums) => [sums.day, sums]));
  return Array.from({ length: to - from + 1 }, (_, at) => toRow(dateOfDay(from + at), known.get(from + at) ?? NOTHING));
}

function toSpending(rows: readonly (FigureSums & { label: string })[]): CostAnalytics['by_framework'] {
  const costliestFirst = rows.toSorted((one, other) => other.cost_nano_usd - one.cost_nano_usd);
  return Object.fromEntries(
    costliestFirst.map(({ label, count, tokens, cost_nano_usd }) => {
      return [label, { cost_usd: fromNanoUsd(cost_nano_usd), tokens, traces: count }];
    }),
  );
}

/** Bands end where grades begin, so one determines the other. */
function toDistribution(
  bands: readonly (FigureSums & { label: string })[],
): Pick<QualityAnalytics, 'score_distribution' | 'grades'> {
  const counts = new Map(bands.map(({ label, count }) => [Number(label), count]));
  const grades = { A: 0, B: 0, C: 0, D: 0, F: 0 };
  for (const [band, count] of counts) grades[gradeOf(band * 10)] += count;
  const distribution = SCORE_BANDS.map((name, band) => [name, counts.get(band) ?? 0]);
  return { score_distribution: Object.fromEntries(distribution), grades };
}
