import { ranksAmong } from '../../detectors/_attribution/failure-rank.ts';
import { RISK_COLUMN_COUNT } from '../../detectors/_attribution/run-columns.ts';
import { type TrafficRow, UNRANKED } from '../../store/failure-rank.store.ts';

/** A rank that moved by fewer hundredths is not written: each new run shifts the ranks of all others a little. */
const MIN_MOVE = 3;

/**
 * Ranks to write: of runs that have none, and of those in the window whose rank moved.
 * @param window the runs that each is compared with
 * @param waiting other runs without a rank; those that are also in the window are skipped
 */
export function changedRanks(
  window: readonly TrafficRow[],
  waiting: readonly TrafficRow[],
): { traceId: string; percent: number }[] {
  const known = new Set(window.map((row) => row.trace_id));
  const runs = toRuns([...window, ...waiting.filter((row) => !known.has(row.trace_id))]);
  const reference = toRuns(window).map(({ columns }) => columns);
  const ranks = ranksAmong(
    runs.map(({ columns }) => columns),
    reference,
  );
  return runs.flatMap(({ row }, at) => {
    const rank = ranks[at];
    if (rank === null || rank === undefined) return [];
    const percent = Math.round(rank * 100);
    const isMoved = row.rank_percent === UNRANKED || Math.abs(percent - row.rank_percent) >= MIN_MOVE;
    return isMoved ? [{ traceId: row.trace_id, percent }] : [];
  });
}

/** Without runs that an earlier version analyzed, which may have had other risk features. */
function toRuns(rows: readonly TrafficRow[]): { row: TrafficRow; columns: Float64Array }[] {
  return rows.flatMap((row) => {
    const columns = row.risk_columns === null ? [] : (JSON.parse(row.risk_columns) as number[]);
    return columns.length === RISK_COLUMN_COUNT ? [{ row, columns: Float64Array.from(columns) }] : [];
  });
}
