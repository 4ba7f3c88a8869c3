import { type Judgement, slopeErrorOf, slopeOf } from '../judge-soak.ts';

/** One reading of a tab, after a garbage collection. */
export interface TabSample {
  /** Seconds since the start. */
  atS: number;
  heapMb: number;
  /** DOM nodes, including detached ones that are still referenced. */
  nodes: number;
  listeners: number;
}

export interface TabResult {
  tab: string;
  samples: readonly TabSample[];
}

export interface TabsResult {
  tabs: readonly TabResult[];
  /** Uncaught errors and violations of the Content-Security-Policy. */
  problems: readonly string[];
  sentTraces: number;
  /** Whether the list showed the last trace without a reload. */
  isLive: boolean;
}

/** The first part of the samples is not judged: lists fill and functions are compiled. */
const WARM_UP = 1 / 4;
const MIN_SAMPLES = 8;
/** Growth above `perHour` fails, unless the confidence interval includes the bound and the fitted growth is at most `atMost`. */
const BOUNDS = [
  { of: 'heapMb', what: 'JavaScript heap', unit: ' MB', perHour: 2, atMost: 2 },
  { of: 'nodes', what: 'DOM nodes', unit: '', perHour: 150, atMost: 150 },
  { of: 'listeners', what: 'event listeners', unit: '', perHour: 60, atMost: 60 },
] as const;
/** Standard errors on each side of the slope: 95 %. */
const CONFIDENCE_ERRORS = 2;

/** One judgement for each tab and figure, and one each for errors and live updates. */
export function judgeTabs({ tabs, problems, sentTraces, isLive }: TabsResult): Judgement[] {
  return [
    ...tabs.flatMap((tab) => BOUNDS.map((bound) => judgeTab(tab, bound))),
    { what: 'no uncaught error and no CSP report', isPassed: problems.length === 0, figure: problems[0] ?? 'none' },
    {
      what: 'the last trace appears without a reload',
      isPassed: sentTraces > 0 && isLive,
      figure: `${sentTraces} sent`,
    },
  ];
}

function judgeTab(
  { tab, samples }: TabResult,
  { of, what, unit, perHour, atMost }: (typeof BOUNDS)[number],
): Judgement {
  const judged = samples.slice(Math.floor(samples.length * WARM_UP));
  const points = judged.map((sample): [number, number] => [sample.atS / 3600, sample[of]]);
  const slope = slopeOf(points);
  const error = CONFIDENCE_ERRORS * slopeErrorOf(points, slope);
  const grown = slope * ((points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0));
  const isNoise = slope - error <= perHour && grown <= atMost;
  return {
    what: `${tab}: ${what} does not grow`,
    isPassed: points.length >= MIN_SAMPLES && (slope <= perHour || isNoise),
    figure: `${slope.toFixed(1)} ± ${error.toFixed(1)}${unit}/h, bound ${perHour}${unit}/h`,
  };
}
