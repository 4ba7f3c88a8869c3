import { fromNanoUsd } from '../../core/trace-figures.ts';
import type { Db } from '../../store/connection.ts';
import { type RunGrouping, type RunSums, sumAgents, sumDays, sumRuns } from '../../store/series.store.ts';
import { workflowNames } from '../../store/trace-facet.store.ts';
import { defineTask } from '../offload/task.ts';
import {
  type AnalyticsSeries,
  type Metric,
  type SeriesPoint,
  type SeriesRange,
  type SeriesRequest,
  seriesOf,
  sourceOf,
} from './series.record.ts';

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;

interface Selected {
  tenantNo: number;
  request: SeriesRequest;
  /** Unix milliseconds. */
  now: number;
}

export const analyticsSeriesTask = defineTask<AnalyticsSeries>()<Selected>({
  name: 'analytics.series',
  kind: 'read',
  async *run({ db }, { tenantNo, request, now }) {
    const range = rangeOf(request, now);
    const points = await readPoints(db, tenantNo, request, range);
    const series = seriesOf(request, range, points);
    yield JSON.stringify(request.by === 'workflow' ? await withNames(db, tenantNo, series) : series);
  },
});

/** Whole UTC days up to today; by the hour, the steps end with the present one. */
function rangeOf({ step, days }: SeriesRequest, now: number): SeriesRange {
  const firstDay = Math.floor(now / STEP_MS.day) - days + 1;
  const stepMs = STEP_MS[step];
  return { first: (firstDay * STEP_MS.day) / stepMs, last: Math.floor(now / stepMs), stepMs };
}

async function readPoints(
  db: Db,
  tenantNo: number,
  request: SeriesRequest,
  { first, last, stepMs }: SeriesRange,
): Promise<SeriesPoint[]> {
  const { metric, by } = request;
  const source = sourceOf(request);
  const times = { from: first * stepMs, to: (last + 1) * stepMs, stepMs };
  if (source === 'traces') {
    const rows = await sumRuns(db, tenantNo, by as RunGrouping, times);
    return rows.map((row) => ({ bucket: row.bucket, key: row.key, ...sumsOf(metric, row) }));
  }
  if (source === 'shares') {
    const rows = await sumAgents(db, tenantNo, times);
    return rows.map(({ bucket, key, runs, tokens }) => ({ bucket, key, sum: metric === 'runs' ? runs : tokens, runs }));
  }
  const days = await sumDays(db, tenantNo, by === 'model' ? 'model' : 'detection', { from: first, to: last });
  return days.map(({ day, label, count, tokens, cost_nano_usd }) => ({
    bucket: day,
    key: by === 'none' ? null : label,
    sum: metric === 'tokens' ? tokens : metric === 'cost' ? fromNanoUsd(cost_nano_usd) : count,
    runs: count,
  }));
}

function sumsOf(metric: Metric, row: RunSums): { sum: number; runs: number } {
  if (metric === 'duration') return { sum: row.duration, runs: row.ended };
  if (metric === 'score') return { sum: row.score, runs: row.scored };
  return { sum: metric === 'detections' ? 0 : row[metric], runs: row.runs };
}

async function withNames(db: Db, tenantNo: number, series: AnalyticsSeries): Promise<AnalyticsSeries> {
  const ids = series.series.flatMap(({ key }) => key ?? []);
  const names = await workflowNames(db, tenantNo, ids);
  const named = series.series.map((each) => ({ ...each, label: names.get(each.key ?? '') ?? each.label }));
  return { ...series, series: named };
}
