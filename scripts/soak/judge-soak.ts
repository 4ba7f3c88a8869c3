/** Judges what a soak measured. Pure, so that tests can show each judgement failing. */

/** One reading of the server, taken at even intervals. */
export interface Sample {
  /** Seconds since the start. */
  atS: number;
  residentMb: number;
  openFiles: number;
  threads: number;
  walMb: number;
  databaseMb: number;
  /** Longest delay of the event loop since the reading before, ms; null where it was not read. */
  loopDelayMs: number | null;
}

export interface Answer {
  status: number;
  hasRetryAfter: boolean;
}

export interface SoakResult {
  samples: readonly Sample[];
  /** How many answers of each kind, by `<what> <status>`. */
  answers: ReadonlyMap<string, number>;
  /** Answers of 503 without `Retry-After`, and connections that broke. */
  faults: { unannounced503: number; broken: number };
  /** From the acknowledgement of a quiet tenant's trace until its finding can be read, ms; null where it never came. */
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

/** How much a figure may grow in an hour, by a line fitted over the second half of the samples. */
const GROWTH_BOUNDS = [
  { of: 'residentMb', what: 'resident memory', unit: 'MB', perHour: 60 },
  { of: 'openFiles', what: 'open files', unit: '', perHour: 12 },
  { of: 'threads', what: 'threads', unit: '', perHour: 4 },
  { of: 'walMb', what: 'WAL', unit: 'MB', perHour: 64 },
] as const;

const QUIET_MS = 5_000;
const FEWEST_SAMPLES = 8;

export function judgeSoak(result: SoakResult): Judgement[] {
  return [
    ...GROWTH_BOUNDS.map(({ of, what, unit, perHour }) => {
      const half = result.samples.slice(Math.floor(result.samples.length / 2));
      return judgeGrowth(what, half, (sample) => sample[of], { unit, perHour });
    }),
    judgeAnswers(result),
    judgeQuiet(result.quietDelaysMs),
    {
      what: 'no acknowledged span is lost',
      isPassed: result.acknowledgedSpans > 0 && result.lostSpans === 0,
      figure: `${result.lostSpans} of ${result.acknowledgedSpans} read back`,
    },
  ];
}

function judgeGrowth(
  what: string,
  samples: readonly Sample[],
  figureOf: (sample: Sample) => number,
  { unit, perHour }: { unit: string; perHour: number },
): Judgement {
  const points = samples.map((sample): [number, number] => [sample.atS / 3600, figureOf(sample)]);
  const slope = slopeOf(points);
  const spanHours = points.length === 0 ? 0 : points.at(-1)![0] - points[0]![0];
  // A short soak sees noise as a slope: what it adds up to must also exceed the noise.
  const grown = slope * spanHours;
  const noise = 2 * deviationFrom(points, slope);
  const isPassed = points.length >= FEWEST_SAMPLES && (slope <= perHour || grown <= noise);
  const bound = `bound ${perHour} ${unit}/h`.replace(' /', '/');
  return {
    what: `${what} does not grow`,
    isPassed,
    figure: `${slope.toFixed(1)} ${unit}/h, ${bound}`.replace('  ', ' '),
  };
}

/** Least squares. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

/** Standard deviation around the fitted line. */
function deviationFrom(points: readonly (readonly [number, number])[], slope: number): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  return Math.sqrt(mean(points.map(([x, y]) => (y - meanY - slope * (x - meanX)) ** 2)));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 503 with `Retry-After` is how a server says that it is busy; every other 5xx is a fault. */
function judgeAnswers({ answers, faults }: SoakResult): Judgement {
  const statusOf = (key: string) => Number(key.split(' ').at(-1));
  const count = (isMeant: (status: number) => boolean) =>
    [...answers].filter(([key]) => isMeant(statusOf(key))).reduce((sum, [, number]) => sum + number, 0);
  const errors = count((status) => status >= 500 && status !== 503);
  const busy = count((status) => status === 503) - faults.unannounced503;
  return {
    what: 'no 5xx but 503 with Retry-After, no broken connection',
    isPassed: answers.size > 0 && errors === 0 && faults.unannounced503 === 0 && faults.broken === 0,
    figure: `${errors} errors, ${busy} × 503 with Retry-After, ${faults.unannounced503} without, ${faults.broken} broken`,
  };
}

function judgeQuiet(delays: readonly (number | null)[]): Judgement {
  const missing = delays.filter((delay) => delay === null).length;
  const times = delays.filter((delay) => delay !== null);
  const p95 = quantile(times, 0.95);
  const max = times.length === 0 ? Number.NaN : Math.max(...times);
  return {
    what: `findings of the quiet tenant within ${QUIET_MS / 1000} s (p95)`,
    isPassed: times.length > 0 && missing === 0 && p95 <= QUIET_MS,
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
