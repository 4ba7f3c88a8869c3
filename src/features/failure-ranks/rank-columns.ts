import { UNRANKED } from '../../store/failure-rank.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { type RunOrigin, trafficOfRun } from './traffic-of-run.ts';

type RankColumns = Pick<TraceTable, 'traffic' | 'risk_columns' | 'rank_percent'>;

/** Enough digits to tell runs apart. */
const PLACES = 10_000;

/**
 * What a trace keeps of an analysis for its rank. A run that goes on is not ranked, because its signs of trouble are still
 * few. A run whose signs or whose traffic changed waits for a new rank.
 */
export function rankColumns(
  current: RankColumns,
  { isSettled, columns, ...origin }: RunOrigin & { isSettled: boolean; columns: readonly number[] },
): RankColumns {
  if (!isSettled) return { traffic: null, risk_columns: null, rank_percent: UNRANKED };
  const traffic = trafficOfRun(origin);
  const risk_columns = JSON.stringify(columns.map((value) => Math.round(value * PLACES) / PLACES));
  const isSame = current.traffic === traffic && current.risk_columns === risk_columns;
  return { traffic, risk_columns, rank_percent: isSame ? current.rank_percent : UNRANKED };
}
