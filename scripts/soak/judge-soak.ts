/** Judges the measurements of a soak. Pure, so that tests can cover each failing judgement. */

/** One reading of the server, taken at even intervals. */
export interface Sample {
  /** Seconds since the start. */
  atS: number;
  residentMb: number;
  openFiles: number;
  threads: number;
  walMb: number;
  databaseMb: number;
  /** Longest delay of the event loop since the reading before, ms; null if it was not read. */
  loopDelayMs: number | null;
}

export interface SoakResult {
  samples: readonly Sample[];
  /** Number of responses by `<what> <status>`. */
  answers: ReadonlyMap<string, number>;
  /** Responses of 503 without a valid `Retry-After`, and broken connections. */
  faults: { busyWithoutRetryAfter: number; broken: number };
  /** From the acknowledgement of a quiet tenant's trace until its detection can be read, ms; null if it never came. */
  quietDelaysMs: readonly (number | null)[];
  acknowledgedSpans: number;
  /** Of the traces that were read back. */
  lostSpans: number;
}

export interface Judgement {
  what: string;
  isPassed: boolean;
  figure: string;
}

/**
 * Growth by a line fitted over the second half of the samples. Above `perHour` it fails, unless noise explains it: then
 * `perHour` is within the confidence interval, and the fitted growth over that half is at most `atMost`.
 */
const GROWTH_BOUNDS = [
  { of: 'residentMb', what: 'resident memory', unit: 'MB', perHour: 60, atMost: 40 },
  { of: 'openFiles', what: 'open files', unit: '', perHour: 12, atMost: 8 },
  { of: 'threads', what: 'threads', unit: '', perHour: 4, atMost: 3 },
] as const;
/** Standard errors on each side of the slope: 95 %. */
const CONFIDENCE_ERRORS = 2;

/** The log is emptied repeatedly, so its size at one time does not show growth, and its maximum is judged. */
const MAX_WAL_MB = 64;
const QUIET_MS = 5_000;
const QUIET_MAX_MS = 10_000;
const RETRY_AFTER_S = { least: 1, most: 60 };
const MIN_SAMPLES = 8;

export function judgeSoak(result: SoakResult): Judgement[] {
  return [
    ...GROWTH_BOUNDS.map((bound) => judgeGrowth(result.samples, bound)),
    judgeLog(result.samples),
    judgeAnswers(result),
    judgeQuietTenant(result.quietDelaysMs),
    {
      what: 'no acknowledged span is lost',
      isPassed: result.acknowledgedSpans > 0 && result.lostSpans === 0,
      figure: `${result.lostSpans} of ${result.acknowledgedSpans} read back`,
    },
  ];
}

function judgeGrowth(
  samples: readonly Sample[],
  { of, what, unit, perHour, atMost }: (typeof GROWTH_BOUNDS)[number],
): Judgement {
  const half = samples.slice(Math.floor(samples.length / 2));
  const points = half.map((sample): [number, number] => [sample.atS / 3600, sample[of]]);
  const slope = slopeOf(points);
  const error = CONFIDENCE_ERRORS * slopeErrorOf(points, slope);
  const grown = slope * ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0));
  const isNoise = slope - error <= perHour && grown <= atMost;
  const inUnit = unit === '' ? '' : ` ${unit}`;
  return {
    what: `${what} does not grow`,
    isPassed: points.length >= MIN_SAMPLES && (slope <= perHour || isNoise),
    figure: `${slope.toFixed(1)} ± ${error.toFixed(1)}${inUnit}/h, bound ${perHour}${inUnit}/h`,
  };
}

function judgeLog(samples: readonly Sample[]): Judgement {
  const largest = Math.max(0, ...samples.map(({ walMb }) => walMb));
  return {
    what: 'the WAL stays small',
    isPassed: samples.length >= MIN_SAMPLES && largest <= MAX_WAL_MB,
    figure: `max ${largest.toFixed(1)} MB, bound ${MAX_WAL_MB} MB`,
  };
}

/** Whether a client can use this value of `Retry-After`: whole seconds from 1 to 60. */
export function isRetryAfter(value: string | null): boolean {
  if (value === null || !/^\d+$/.test(value)) return false;
  return Number(value) >= RETRY_AFTER_S.least && Number(value) <= RETRY_AFTER_S.most;
}

/** Least squares. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

/** Standard error of the slope caused by noise around the line. Infinite for fewer than three points. */
export function slopeErrorOf(points: readonly (readonly [number, number])[], slope: number): number {
  if (points.length < 3) return Number.POSITIVE_INFINITY;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const residual = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return spread === 0 ? Number.POSITIVE_INFINITY : Math.sqrt(residual / (points.length - 2) / spread);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 503 with a valid `Retry-After` means that the server is busy; every other 5xx is a fault. */
function judgeAnswers({ answers, faults }: SoakResult): Judgement {
  const statusOf = (key: string) => Number(key.split(' ').at(-1));
  const count = (isExpected: (status: number) => boolean) =>
    [...answers].filter(([key]) => isExpected(statusOf(key))).reduce((sum, [, number]) => sum + number, 0);
  const errors = count((status) => status >= 500 && status !== 503);
  const busy = count((status) => status === 503) - faults.busyWithoutRetryAfter;
  return {
    what: 'no 5xx but 503 with Retry-After of 1 to 60 s, no broken connection',
    isPassed: answers.size > 0 && errors === 0 && faults.busyWithoutRetryAfter === 0 && faults.broken === 0,
    figure: `${errors} errors, ${busy} × 503 with Retry-After, ${faults.busyWithoutRetryAfter} without or out of range, ${faults.broken} broken`,
  };
}

function judgeQuietTenant(delays: readonly (number | null)[]): Judgement {
  const missing = delays.filter((delay) => delay === null).length;
  const times = delays.filter((delay) => delay !== null);
  const p95 = quantile(times, 0.95);
  const max = times.length === 0 ? Number.NaN : Math.max(...times);
  return {
    what: `detections of the quiet tenant within ${QUIET_MS / 1000} s (p95) and ${QUIET_MAX_MS / 1000} s (max)`,
    isPassed: times.length > 0 && missing === 0 && p95 <= QUIET_MS && max <= QUIET_MAX_MS,
    figure: `p50 ${round(quantile(times, 0.5))} ms, p95 ${round(p95)} ms, max ${round(max)} ms, ${missing} of ${delays.length} never`,
  };
}

function round(value: number): string {
  return Number.isNaN(value) ? '–' : String(Math.round(value));
}

/** Nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}
