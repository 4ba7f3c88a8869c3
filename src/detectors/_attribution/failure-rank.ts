import { midRank } from './mid-rank.ts';
import { riskRanking } from './ranked-risk.ts';

/** Minimum number of runs of a traffic group for ranking. With fewer, ranks mean little. */
export const MIN_RANKED_RUNS = 30;

/**
 * For each run, the share of its traffic group with fewer signs of trouble, 0–1; equal runs share the middle of their
 * ranks. All null for fewer than `MIN_RANKED_RUNS` runs. Unfitted and without labels: it orders runs and does not
 * estimate how many of them failed.
 * @param runs `riskColumns` of every run of one traffic group
 */
export function failureRanks(runs: readonly Float64Array[]): (number | null)[] {
  return ranksAmong(runs, runs);
}

/** The same for runs compared with other runs of their traffic group, which may include them. */
export function ranksAmong(runs: readonly Float64Array[], reference: readonly Float64Array[]): (number | null)[] {
  if (reference.length < MIN_RANKED_RUNS) return runs.map(() => null);
  const riskOf = riskRanking(reference);
  const risks = Float64Array.from(reference, (run) => riskOf(run)).sort();
  return runs.map((run) => midRank(risks, riskOf(run)));
}
