import { riskRanking } from '../../detectors/_attribution/ranked-risk.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';

/** A run of the tenant's traffic, unlabelled. */
export interface SampledRun {
  /** Of `riskColumns`. */
  columns: Float64Array;
  /** Something else on it is a `warning` or worse. */
  isAlarmed: boolean;
}

/** As many runs as ranks need to be steady; they travel with every trace that is analysed. */
const REFERENCE_RUNS = 200;

/**
 * From which rank on a run is told as one of the riskiest of its traffic: `target` of all runs as `info`, and as
 * `warning` as many of them as the alerts still wanted allow. Null where all runs look alike.
 * @param target share of runs told
 * @param alertRate share of runs that may carry an alarm in all
 */
export function adaptRisk(runs: readonly SampledRun[], target: number, alertRate: number): TrafficReference | null {
  const reference = evenly(runs, REFERENCE_RUNS).map(({ columns }) => columns);
  const rank = riskRanking(reference);
  const ranked = runs.map((run) => ({ ...run, risk: rank(run.columns) })).sort((one, other) => other.risk - one.risk);
  const from = lowestRank(ranked, ({ told }) => told <= target * runs.length);
  if (from === null) return null;
  const alarmed = runs.filter(({ isAlarmed }) => isAlarmed).length;
  const warningFrom = lowestRank(
    ranked,
    ({ told, fresh }) => told <= target * runs.length && alarmed + fresh <= alertRate * runs.length,
  );
  return { runs: runs.length, share: target, from, warningFrom, reference: reference.map((row) => [...row]) };
}

interface Counted {
  /** Runs of this rank or higher. */
  told: number;
  /** Those of them without another alarm. */
  fresh: number;
}

/** The lowest rank above zero down to which the count may go; runs of one rank are told together. */
function lowestRank(
  ranked: readonly (SampledRun & { risk: number })[],
  mayTell: (counted: Counted) => boolean,
): number | null {
  let lowest: number | null = null;
  let [told, fresh] = [0, 0];
  for (const [at, run] of ranked.entries()) {
    told += 1;
    fresh += run.isAlarmed ? 0 : 1;
    if (ranked[at + 1]?.risk === run.risk) continue;
    if (run.risk <= 0 || !mayTell({ told, fresh })) break;
    lowest = run.risk;
  }
  return lowest;
}

function evenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, n) => items[Math.floor((n * items.length) / count)]!);
}
