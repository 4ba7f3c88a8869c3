import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';

export const METRICS = ['runs', 'errors', 'cost', 'tokens', 'duration', 'score', 'detections'] as const;
export type Metric = (typeof METRICS)[number];

export const GROUPINGS = [
  'none',
  'status',
  'framework',
  'service',
  'workflow',
  'agent',
  'model',
  'detection_type',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const STEPS = ['hour', 'day'] as const;
export type SeriesStep = (typeof STEPS)[number];

/** Metrics whose value is a mean over runs; the others are sums. */
export const MEANS: ReadonlySet<Metric> = new Set(['duration', 'score']);

const UNITS: Readonly<Record<Metric, 'count' | 'usd' | 'tokens' | 'ms' | 'score'>> = {
  runs: 'count',
  errors: 'count',
  cost: 'usd',
  tokens: 'tokens',
  duration: 'ms',
  score: 'score',
  detections: 'count',
};

const value = z.number().nullable().describe('Null for a mean over no runs');

export const analyticsSeries = z
  .object({
    metric: z.enum(METRICS),
    unit: z.enum(['count', 'usd', 'tokens', 'ms', 'score']),
    by: z.enum(GROUPINGS),
    step: z.enum(STEPS),
    starts: z.array(z.string()).describe('Start of each step in UTC, oldest first'),
    series: z
      .array(
        z.object({
          key: z.string().nullable().describe('Value of the grouping; null for all together and for runs without one'),
          label: z.string(),
          total: value,
          values: z.array(value).describe('One for each of `starts`'),
        }),
      )
      .describe('The highest total first; where there are more than `top`, the last one sums the others'),
    others: z.number().int().describe('Groups that the last series sums; 0 where each has its own'),
  })
  .meta({ id: 'AnalyticsSeries' });
export type AnalyticsSeries = z.input<typeof analyticsSeries>;

export interface SeriesRequest {
  metric: Metric;
  by: Grouping;
  step: SeriesStep;
  days: number;
  /** Groups that have a series of their own. */
  top: number;
}

/** What a combination is read from. `traces`: each run; `shares`: each run of an agent; `daily`: sums by UTC day. */
export type SeriesSource = 'traces' | 'shares' | 'daily';

const MAX_DAYS_BY_HOUR = 14;

/** @throws AppError `invalid_query` for a combination that is not stored */
export function sourceOf({ metric, by, step, days }: SeriesRequest): SeriesSource {
  if (step === 'hour' && days > MAX_DAYS_BY_HOUR)
    throw invalidQuery('days', `must be at most ${MAX_DAYS_BY_HOUR} with \`step=hour\``);
  if ((metric === 'detections') !== (by === 'detection_type') && by !== 'none')
    throw metric === 'detections'
      ? invalidQuery('by', '`detections` can be grouped by `none` or `detection_type`')
      : invalidQuery('by', '`detection_type` groups the metric `detections` only');
  if (by === 'agent' && metric !== 'runs' && metric !== 'tokens')
    throw invalidQuery('by', '`agent` groups the metrics `runs` and `tokens` only');
  if (by === 'model' && metric !== 'runs' && metric !== 'tokens' && metric !== 'cost')
    throw invalidQuery('by', '`model` groups the metrics `runs`, `tokens` and `cost` only');
  const isDaily = metric === 'detections' || by === 'model';
  if (isDaily && step === 'hour') throw invalidQuery('step', 'must be `day` for detections and models');
  if (isDaily) return 'daily';
  return by === 'agent' ? 'shares' : 'traces';
}

function invalidQuery(name: string, message: string): AppError {
  return new AppError('invalid_query', 'This combination is not available.', {
    errors: [{ pointer: `?${name}`, message }],
  });
}

/** One group in one step: the sum of a metric, and the number of runs it is the mean of. */
export interface SeriesPoint {
  /** Number of whole steps since 1970. */
  bucket: number;
  key: string | null;
  sum: number;
  runs: number;
}

export interface SeriesRange {
  /** Numbers of whole steps since 1970, both inclusive. */
  first: number;
  last: number;
  stepMs: number;
}

export function seriesOf(
  { metric, by, step, top }: SeriesRequest,
  { first, last, stepMs }: SeriesRange,
  points: readonly SeriesPoint[],
): AnalyticsSeries {
  const groups = new Map<string | null, Sums>();
  const length = last - first + 1;
  if (by === 'none') groups.set(null, new Sums(length));
  for (const { bucket, key, sum, runs } of points) {
    const known = groups.get(key) ?? new Sums(length);
    groups.set(key, known);
    known.add(bucket - first, sum, runs);
  }
  const isMean = MEANS.has(metric);
  const sorted = [...groups].sort(([, one], [, other]) => other.weight(isMean) - one.weight(isMean));
  const shown = sorted.slice(0, top).map(([key, sums]) => ({
    key,
    label: key ?? (by === 'none' ? 'all' : 'none'),
    ...sums.record(isMean),
  }));
  const rest = sorted.slice(top).map(([, sums]) => sums);
  const others = rest.reduce((sum, each) => sum.join(each), new Sums(length));
  return {
    metric,
    unit: UNITS[metric],
    by,
    step,
    starts: Array.from({ length }, (_, at) => new Date((first + at) * stepMs).toISOString()),
    series: rest.length === 0 ? shown : [...shown, { key: null, label: 'others', ...others.record(isMean) }],
    others: rest.length,
  };
}

class Sums {
  readonly #sums: number[];
  readonly #runs: number[];

  constructor(length: number) {
    this.#sums = new Array(length).fill(0);
    this.#runs = new Array(length).fill(0);
  }

  add(at: number, sum: number, runs: number): void {
    if (at < 0 || at >= this.#sums.length) return;
    this.#sums[at]! += sum;
    this.#runs[at]! += runs;
  }

  join(other: Sums): this {
    for (let at = 0; at < this.#sums.length; at += 1) this.add(at, other.#sums[at]!, other.#runs[at]!);
    return this;
  }

  /** What groups are ordered by: the sum, or for a mean the number of runs. */
  weight(isMean: boolean): number {
    return total(isMean ? this.#runs : this.#sums);
  }

  record(isMean: boolean): { total: number | null; values: (number | null)[] } {
    const shown = (sum: number, runs: number) => (isMean ? (runs === 0 ? null : rounded(sum / runs)) : rounded(sum));
    return {
      total: shown(total(this.#sums), total(this.#runs)),
      values: this.#sums.map((sum, at) => shown(sum, this.#runs[at]!)),
    };
  }
}

function total(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0);
}

/** Sums of fractions differ in their last digits with the order of their terms. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
