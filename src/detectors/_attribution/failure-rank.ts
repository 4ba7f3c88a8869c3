import { midRank } from './mid-rank.ts';
import { riskRanking } from './ranked-risk.ts';

/** Runs of one traffic from which on they are ranked. With fewer, ranks say little. */
export const FEWEST_RANKED_RUNS = 30;

/**
 * For each run, the share of its traffic that shows less trouble, 0–1; runs that show the same share the middle of
 * their places. All null for fewer than `FEWEST_RANKED_RUNS` runs. Nothing is fitted and no label is read: it orders
 * runs and does not say how many of them failed.
 * @param runs `riskColumns` of every run of one traffic
 */
export function failureRanks(runs: readonly Float64Array[]): (number | null)[] {
  return ranksAmong(runs, runs);
}

/** The same for runs among others of their traffic, which may or may not be among these. */
export function ranksAmong(runs: readonly Float64Array[], reference: readonly Float64Array[]): (number | null)[] {
  if (reference.length < FEWEST_RANKED_RUNS) return runs.map(() => null);
  const riskOf = riskRanking(reference);
  const risks = Float64Array.from(reference, (run) => riskOf(run)).sort();
  return runs.map((run) => midRank(risks, riskOf(run)));
}
