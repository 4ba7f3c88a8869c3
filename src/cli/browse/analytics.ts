import {
  analyticsSeriesOperation,
  costAnalyticsOperation,
  loopAnalyticsOperation,
  qualityAnalyticsOperation,
  rebuildAnalyticsOperation,
} from '../../features/analytics/analytics.operations.ts';
import type { CostAnalytics } from '../../features/analytics/analytics.record.ts';
import type { Grouping, Metric, SeriesStep } from '../../features/analytics/series.record.ts';
import type { CommandContext } from '../context.ts';
import { count, dollars, duration } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import { type Column, table } from '../views/table.ts';

export interface AnalyticsFlags {
  days: number;
}

export interface SeriesFlags extends AnalyticsFlags {
  by: Grouping;
  step: SeriesStep;
}

export async function showLoops(context: CommandContext, { days }: AnalyticsFlags): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const loops = await store.call(loopAnalyticsOperation, { tenant_id: await store.tenantId(), days });
  if (options.isJson) return print.json(loops);
  const rows: [string, string][] = [
    ['days', `${loops.date_from} to ${loops.date_to}`],
    ['loops', count(loops.total)],
    ['mean length', loops.average_length === null ? '–' : `${loops.average_length} steps`],
    ['wasted', `${count(loops.wasted_tokens)} tokens, ${dollars(loops.wasted_cost_usd)}`],
  ];
  print.data(facts(rows, style));
  const ways = Object.entries(loops.by_method).map(([name, total]) => ({ name, total }));
  printCounts(context, 'way', ways);
  printCounts(
    context,
    'agent',
    loops.affected_agents.map((agent) => ({ name: agent.agent_id, total: agent.count })),
  );
  const byDay = loops.time_series.map((day) => ({ name: day.date, total: day.count }));
  printCounts(
    context,
    'day',
    byDay.filter(({ total }) => total > 0),
  );
}

export async function showCost(context: CommandContext, { days }: AnalyticsFlags): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const cost = await store.call(costAnalyticsOperation, { tenant_id: await store.tenantId(), days });
  if (options.isJson) return print.json(cost);
  const rows: [string, string][] = [
    ['days', `${cost.date_from} to ${cost.date_to}`],
    ['cost', dollars(cost.total_cost_usd)],
    ['tokens', count(cost.total_tokens)],
    ['traces', `${count(cost.total_traces)}, ${count(cost.unpriced_traces)} of them without a known price`],
  ];
  print.data(facts(rows, style));
  printSpending(context, 'framework', cost.by_framework);
  printSpending(context, 'model', cost.by_model);
  const spentDays = cost.by_day.filter(({ tokens, cost_usd }) => tokens > 0 || cost_usd > 0);
  if (spentDays.length > 0) print.data(`\n${table(spentDays, DAY_COLUMNS, style)}`);
  if (cost.top_traces.length > 0) print.data(`\n${table(cost.top_traces, TRACE_COLUMNS, style)}`);
}

export async function showSeries(
  context: CommandContext,
  metric: Metric,
  { days, by, step }: SeriesFlags,
): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const input = { tenant_id: await store.tenantId(), metric, by, step, days };
  const series = await store.call(analyticsSeriesOperation, input);
  if (options.isJson) return print.json(series);
  if (series.series.length === 0) return print.note('No runs found.');
  const text = (value: number | null) =>
    value === null
      ? '–'
      : series.unit === 'usd'
        ? dollars(value)
        : series.unit === 'ms'
          ? duration(value)
          : count(value);
  const columns: Column<{ start: string; at: number }>[] = [
    { title: step, text: ({ start }) => (step === 'day' ? start.slice(0, 10) : start.slice(0, 16)) },
    ...series.series.map(({ label, values }): Column<{ start: string; at: number }> => {
      return { title: label.slice(0, 24), text: ({ at }) => text(values[at] ?? null), align: 'right' };
    }),
  ];
  const rows = series.starts.map((start, at) => ({ start, at }));
  const isEmpty = ({ at }: { at: number }) => series.series.every(({ values }) => !values[at]);
  const filled = rows.filter((row) => !isEmpty(row));
  if (filled.length === 0) return print.note('No runs found.');
  print.data(table(filled, columns, style));
}

export async function showQuality(context: CommandContext, { days }: AnalyticsFlags): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const quality = await store.call(qualityAnalyticsOperation, { tenant_id: await store.tenantId(), days });
  if (options.isJson) return print.json(quality);
  const grades = Object.entries(quality.grades).map(([grade, total]) => `${grade} ${total}`);
  const rows: [string, string][] = [
    ['days', `${quality.date_from} to ${quality.date_to}`],
    ['traces', count(quality.total)],
    ['mean score', quality.average === null ? '–' : String(quality.average)],
    ['grades', grades.join(', ')],
  ];
  print.data(facts(rows, style));
  const found = quality.top_detections.map((top) => ({ name: top.detection_type, total: top.count }));
  printCounts(context, 'failure', found);
  const scored = quality.trend.filter((day) => day.count > 0);
  if (scored.length > 0) print.data(`\n${table(scored, TREND_COLUMNS, style)}`);
}

export async function rebuildFigures({ backend, options, print }: CommandContext): Promise<void> {
  const store = await backend();
  const rebuilt = await store.call(rebuildAnalyticsOperation, { tenant_id: await store.tenantId() });
  if (options.isJson) print.json(rebuilt);
  else print.note(`The figures cover ${count(rebuilt.traces)} traces, ${count(rebuilt.added)} of them new.`);
}

interface Counted {
  name: string;
  total: number;
}

function printCounts({ print, style }: CommandContext, title: string, rows: readonly Counted[]): void {
  if (rows.length === 0) return;
  const columns: Column<Counted>[] = [
    { title, text: ({ name }) => name, limit: 40 },
    { title: 'count', text: ({ total }) => count(total), align: 'right' },
  ];
  print.data(`\n${table(rows, columns, style)}`);
}

function printSpending({ print, style }: CommandContext, title: string, spending: CostAnalytics['by_framework']): void {
  const rows = Object.entries(spending).map(([name, spent]) => ({ name, ...spent }));
  if (rows.length === 0) return;
  const columns: Column<(typeof rows)[number]>[] = [
    { title, text: ({ name }) => name, limit: 40 },
    { title: 'cost', text: ({ cost_usd }) => dollars(cost_usd), align: 'right' },
    { title: 'tokens', text: ({ tokens }) => count(tokens), align: 'right' },
    { title: 'traces', text: ({ traces }) => count(traces), align: 'right' },
  ];
  print.data(`\n${table(rows, columns, style)}`);
}

const DAY_COLUMNS: Column<CostAnalytics['by_day'][number]>[] = [
  { title: 'day', text: ({ date }) => date },
  { title: 'cost', text: ({ cost_usd }) => dollars(cost_usd), align: 'right' },
  { title: 'tokens', text: ({ tokens }) => count(tokens), align: 'right' },
];

const TRACE_COLUMNS: Column<CostAnalytics['top_traces'][number]>[] = [
  { title: 'trace', text: ({ trace_id }) => trace_id },
  { title: 'name', text: ({ name }) => name, limit: 32 },
  { title: 'started', text: ({ started_at }) => started_at },
  { title: 'cost', text: ({ cost_usd }) => dollars(cost_usd), align: 'right' },
  { title: 'tokens', text: ({ total_tokens }) => count(total_tokens), align: 'right' },
];

const TREND_COLUMNS: Column<{ date: string; average: number | null; count: number }>[] = [
  { title: 'day', text: ({ date }) => date },
  { title: 'mean score', text: ({ average }) => (average === null ? '–' : String(average)), align: 'right' },
  { title: 'traces', text: (day) => count(day.count), align: 'right' },
];
