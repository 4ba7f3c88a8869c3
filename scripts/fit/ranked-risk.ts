import { riskColumnsOf, riskRanking } from '../../src/detectors/_attribution/ranked-risk.ts';
import { judgedRuns } from './failure-risk/judged-runs.ts';
import type { LabelledRecord } from './load-set.ts';

/**
 * Trouble of each run against the runs of its own set, taken as one user's unlabelled traffic, by record id. Nothing
 * is fitted; which columns count was chosen with these sets at hand.
 */
export function setLeftOut(records: readonly LabelledRecord[]): Map<string, number> {
  const runs = judgedRuns(records).map(({ id, set, row }) => ({ id, set, columns: riskColumnsOf(row.values) }));
  const bySet = [...Map.groupBy(runs, ({ set }) => set).values()];
  return new Map(
    bySet.flatMap((own) => {
      const rank = riskRanking(own.map(({ columns }) => columns));
      return own.map(({ id, columns }) => [id, rank(columns)] as const);
    }),
  );
}
