import { sql } from 'kysely';
import type { Db } from './connection.ts';
import type { TraceTable } from './schema.ts';
import { inBatches } from './transaction.ts';

/** `rank_percent` of a run without a rank. */
export const UNRANKED = -1;

/** Highest rank that is shown: no run ranks above all similar runs, because it is one of them. */
export const MAX_RANK_PERCENT = 99;

/** Runs of one traffic group. */
export interface Traffic {
  tenantNo: number;
  traffic: string;
}

export type TrafficRow = Pick<TraceTable, 'trace_id' | 'started_at' | 'risk_columns' | 'rank_percent'>;

/** Starts of runs, Unix milliseconds, both inclusive. */
export interface StartRange {
  from: number;
  to: number;
}

const IDS_PER_STATEMENT = 500;

function ofTraffic(db: Db, { tenantNo, traffic }: Traffic) {
  return db.selectFrom('traces').where('tenant_no', '=', tenantNo).where('traffic', '=', traffic);
}

export async function hasRuns(db: Db, traffic: Traffic, count: number): Promise<boolean> {
  const last = ofTraffic(db, traffic)
    .select('trace_id')
    .limit(1)
    .offset(count - 1);
  return (await last.executeTakeFirst()) !== undefined;
}

/** Start of the newest run that began by `until`; null without such a run. */
export async function newestStart(db: Db, traffic: Traffic, until: number): Promise<number | null> {
  const row = await ofTraffic(db, traffic)
    .select('started_at')
    .where('started_at', '<=', until)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.started_at ?? null;
}

/** The newest runs, newest first. */
export function newestRuns(db: Db, traffic: Traffic, { from, to }: StartRange, limit: number): Promise<TrafficRow[]> {
  return ofTraffic(db, traffic)
    .select(['trace_id', 'started_at', 'risk_columns', 'rank_percent'])
    .where('started_at', '>=', from)
    .where('started_at', '<=', to)
    .orderBy('started_at', 'desc')
    .orderBy('trace_id', 'desc')
    .limit(limit)
    .execute();
}

/** The newest runs without a rank, newest first. */
export function unrankedRuns(db: Db, traffic: Traffic, { from, to }: StartRange, limit: number): Promise<TrafficRow[]> {
  return (
    ofTraffic(db, traffic)
      .select(['trace_id', 'started_at', 'risk_columns', 'rank_percent'])
      // A literal: databases use the partial index only then.
      .where(sql<boolean>`rank_percent = -1`)
      .where('started_at', '>=', from)
      .where('started_at', '<=', to)
      .orderBy('started_at', 'desc')
      .orderBy('trace_id', 'desc')
      .limit(limit)
      .execute()
  );
}

/** Writes ranks; there are at most 101 distinct values, so one statement writes those of many runs. */
export async function saveRanks(
  db: Db,
  tenantNo: number,
  ranks: readonly { traceId: string; percent: number }[],
): Promise<void> {
  for (const [percent, same] of Map.groupBy(ranks, (rank) => rank.percent)) {
    for (const slice of inBatches(same, IDS_PER_STATEMENT)) {
      await db
        .updateTable('traces')
        .set({ rank_percent: percent })
        .where('tenant_no', '=', tenantNo)
        .where(
          'trace_id',
          'in',
          slice.map(({ traceId }) => traceId),
        )
        .execute();
    }
  }
}
