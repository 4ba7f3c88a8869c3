import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';
import { waitsForPerson } from './healing.store.ts';
import { isIgnoredAt, isNewSince, isOpenAt } from './issue-state.store.ts';

/** Each count stops here, so that a large tenant costs no more than a small one. */
export const MAX_COUNTED = 1_000;

/** Unix milliseconds. */
export interface OverviewTimes {
  at: number;
  since: number;
}

/** Table and condition of each count, in SQL. */
const COUNTED = {
  traces_any: () => sql`traces where true`,
  traces_new: ({ since }) => sql`traces where started_at >= ${since} and is_bookkeeping = 0`,
  traces_failed: ({ since }) => sql`traces where status = 'error' and started_at >= ${since} and is_bookkeeping = 0`,
  traces_running: () => sql`traces where status = 'running' and is_bookkeeping = 0`,
  traces_given_up: () => sql`traces where given_up_at is not null`,
  issues_open: ({ at }) => sql`issues where ${isOpenAt(at)}`,
  issues_critical: ({ at }) => sql`issues where ${isOpenAt(at)} and severity = 'critical'`,
  issues_new: (times) => sql`issues where ${isNewSince(times)}`,
  issues_regressed: ({ at }) => sql`issues where ${isOpenAt(at)} and regressed_at is not null`,
  issues_resolved: () => sql`issues where status = 'resolved'`,
  issues_ignored: ({ at }) => sql`issues where ${isIgnoredAt(at)}`,
  detections_new: ({ since }) =>
    sql`detections where created_at >= ${since} and withdrawn_at is null and severity <> 'observation'
      and coalesce(is_valid, 1) = 1`,
  healing_pending: () => sql`healing_operations where status = 'pending_approval'`,
  healing_unknown: () => sql`healing_operations where status = 'unknown'`,
  healing_waiting: ({ at }) => sql`healing_operations where ${waitsForPerson(at)}`,
  imports_active: () => sql`import_jobs where status in ('queued', 'processing')`,
  imports_failed: ({ since }) =>
    sql`import_jobs where status in ('failed', 'completed_with_errors') and created_at >= ${since}`,
  alerts_failed: ({ since }) => sql`alert_deliveries where state = 'failed' and created_at >= ${since}`,
  analyses_waiting: () => sql`jobs where kind = 'settle'`,
} satisfies Record<string, (times: OverviewTimes) => RawBuilder<unknown>>;

export type OverviewCounts = Record<keyof typeof COUNTED, number>;

/** Counts of one tenant, each at most `MAX_COUNTED`. */
export async function countOverview(db: Db, tenantNo: number, times: OverviewTimes): Promise<OverviewCounts> {
  const counts: Partial<OverviewCounts> = {};
  for (const [name, from] of Object.entries(COUNTED) as [
    keyof OverviewCounts,
    (times: OverviewTimes) => RawBuilder<unknown>,
  ][]) {
    const limit = name === 'traces_any' ? 1 : MAX_COUNTED;
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from ${from(times)} and tenant_no = ${tenantNo} limit ${limit})`.execute(
      db,
    );
    counts[name] = Number(rows[0]?.count ?? 0);
  }
  return counts as OverviewCounts;
}
