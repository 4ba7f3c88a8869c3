import { UNRANKED } from '../../store/failure-rank.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { type RunOrigin, trafficOfRun } from './traffic-of-run.ts';

type RankColumns = Pick<TraceTable, 'traffic' | 'risk_columns' | 'rank_percent'>;

/** Rounds to four decimals: enough to distinguish runs. */
const SCALE = 10_000;

/**
 * Ranking columns of a trace after an analysis. A running run is not ranked, because it has few risk features
 * yet. A run whose features or traffic group changed waits for a new rank.
 */
export function rankColumns(
  current: RankColumns,
  { isSettled, columns, ...origin }: RunOrigin & { isSettled: boolean; columns: readonly number[] },
): RankColumns {
  if (!isSettled) return { traffic: null, risk_columns: null, rank_percent: UNRANKED };
  const traffic = trafficOfRun(origin);
  const risk_columns = JSON.stringify(columns.map((value) => Math.round(value * SCALE) / SCALE));
  const isSame = current.traffic === traffic && current.risk_columns === risk_columns;
  return { traffic, risk_columns, rank_percent: isSame ? current.rank_percent : UNRANKED };
}
