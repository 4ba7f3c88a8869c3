import { wilsonInterval } from '../../../src/features/evaluation/wilson-interval.ts';
import { pooledShare, type Share, type SourceShares } from './run-figures.ts';

/** How often runs with a subtype failed, on sources that were left out of its choice. */
export interface SubtypePrecision {
  healthy: Share;
  failing: Share;
  /** Failing runs among those it fired on; null if it never fired. */
  precision: number | null;
  interval: [low: number, high: number];
  /** Share of failing runs among those it could have fired on, each source weighted by how often it fired there. */
  baseRate: number | null;
  /** Sources in which it fired. */
  sources: number;
  /** Highest share of healthy runs of one source. */
  worstHealthy: number;
}

export function subtypePrecision(sources: readonly SourceShares[]): SubtypePrecision {
  const healthy = pooledShare(sources.map((source) => source.healthy));
  const failing = pooledShare(sources.map((source) => source.failing));
  const fired = healthy.hits + failing.hits;
  const firing = sources.filter((source) => source.healthy.hits + source.failing.hits > 0);
  const expected = firing.reduce((sum, source) => {
    const base = source.failing.n / (source.healthy.n + source.failing.n);
    return sum + base * (source.healthy.hits + source.failing.hits);
  }, 0);
  return {
    healthy,
    failing,
    precision: fired === 0 ? null : failing.hits / fired,
    interval: wilsonInterval(failing.hits, fired),
    baseRate: fired === 0 ? null : expected / fired,
    sources: firing.length,
    worstHealthy: Math.max(
      0,
      ...sources.filter(({ healthy: { n } }) => n >= MIN_RUNS_OF_SOURCE).map(({ healthy: { hits, n } }) => hits / n),
    ),
  };
}

/** What a subtype must reach before it is reported by default. */
export const REQUIREMENTS = {
  fired: 10,
  sources: 2,
  healthyAble: 100,
  healthyShare: 0.01,
  worstHealthyShare: 0.05,
  precision: 0.8,
} as const;

/** No share is computed for a source with fewer healthy runs. */
const MIN_RUNS_OF_SOURCE = 20;

/** Why the figures do not confirm a subtype; null if they do. */
export function shortfall(figures: SubtypePrecision): string | null {
  const { healthy, failing, precision, interval, baseRate, sources, worstHealthy } = figures;
  const fired = healthy.hits + failing.hits;
  if (healthy.n < REQUIREMENTS.healthyAble)
    return `could have fired on ${healthy.n} of the ${REQUIREMENTS.healthyAble} healthy runs that are needed`;
  if (precision === null || baseRate === null || fired < REQUIREMENTS.fired)
    return `fired on ${fired} of the ${REQUIREMENTS.fired} runs that are needed`;
  if (sources < REQUIREMENTS.sources)
    return `fired in ${sources} of the ${REQUIREMENTS.sources} sources that are needed`;
  if (healthy.hits / healthy.n > REQUIREMENTS.healthyShare)
    return `fired on ${percent(healthy.hits / healthy.n)} of the healthy runs, at most ${percent(REQUIREMENTS.healthyShare)} are allowed`;
  if (worstHealthy > REQUIREMENTS.worstHealthyShare)
    return `fired on ${percent(worstHealthy)} of the healthy runs of one source, at most ${percent(REQUIREMENTS.worstHealthyShare)} are allowed`;
  if (precision < REQUIREMENTS.precision)
    return `precision ${percent(precision)}, ${percent(REQUIREMENTS.precision)} is needed`;
  if (interval[0] <= baseRate)
    return `precision is at least ${percent(interval[0])}, which is not above the base rate of ${percent(baseRate)}`;
  return null;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
