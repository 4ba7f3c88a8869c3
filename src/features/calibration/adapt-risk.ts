import { riskRanking } from '../../detectors/_attribution/ranked-risk.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';

/** An unlabelled run of the tenant's traffic. */
export interface SampledRun {
  /** Of `riskColumns`. */
  columns: Float64Array;
  /** Another detection on it is a `warning` or higher. */
  isAlarmed: boolean;
}

/** Enough runs for stable ranks; they are sent with every analysis. */
const REFERENCE_RUNS = 200;

/**
 * The rank from which a run is reported as one of the riskiest of its traffic: `target` of all runs as `info`, and as
 * `warning` as many of them as the target alert rate still allows. Null if all runs have the same risk.
 * @param target share of runs to report
 * @param alertRate share of all runs that may have an alarm
 */
export function adaptRisk(runs: readonly SampledRun[], target: number, alertRate: number): TrafficReference | null {
  const reference = evenly(runs, REFERENCE_RUNS).map(({ columns }) => columns);
  const rank = riskRanking(reference);
  const ranked = runs.map((run) => ({ ...run, risk: rank(run.columns) })).sort((one, other) => other.risk - one.risk);
  const from = lowestRank(ranked, ({ reported }) => reported <= target * runs.length);
  if (from === null) return null;
  const alarmed = runs.filter(({ isAlarmed }) => isAlarmed).length;
  const warningFrom = lowestRank(
    ranked,
    ({ reported, fresh }) => reported <= target * runs.length && alarmed + fresh <= alertRate * runs.length,
  );
  return { runs: runs.length, share: target, from, warningFrom, reference: reference.map((row) => [...row]) };
}

interface Counted {
  /** Runs of this rank or higher. */
  reported: number;
  /** Those of them without another alarm. */
  fresh: number;
}

/** The lowest rank above zero that stays within the count; runs of one rank are reported together. */
function lowestRank(
  ranked: readonly (SampledRun & { risk: number })[],
  isReportable: (counted: Counted) => boolean,
): number | null {
  let lowest: number | null = null;
  let [reported, fresh] = [0, 0];
  for (const [at, run] of ranked.entries()) {
    reported += 1;
    fresh += run.isAlarmed ? 0 : 1;
    if (ranked[at + 1]?.risk === run.risk) continue;
    if (run.risk <= 0 || !isReportable({ reported, fresh })) break;
    lowest = run.risk;
  }
  return lowest;
}

function evenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, n) => items[Math.floor((n * items.length) / count)]!);
}
