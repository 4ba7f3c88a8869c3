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
  if (runs.length < FEWEST_RANKED_RUNS) return runs.map(() => null);
  const risks = runs.map(riskRanking(runs));
  const place = middlePlaces(risks);
  return risks.map((risk) => place.get(risk)! / runs.length);
}

/** Mean place of each value among all, from zero. */
function middlePlaces(values: readonly number[]): Map<number, number> {
  const counts = [...Map.groupBy(values, (value) => value)].sort(([a], [b]) => a - b);
  const places = new Map<number, number>();
  let below = 0;
  for (const [value, { length }] of counts) {
    places.set(value, below + length / 2);
    below += length;
  }
  return places;
}
