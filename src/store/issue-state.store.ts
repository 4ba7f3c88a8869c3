import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';

/** Condition on `issues`: an issue that was ignored until a time that is over counts as open. */
export function isOpenAt(now: number): RawBuilder<boolean> {
  return sql<boolean>`(issues.status = 'open' or (issues.status = 'ignored' and issues.ignored_until <= ${now}))`;
}

/** Condition on `issues`: ignored, also snoozed. */
export function isIgnoredAt(now: number): RawBuilder<boolean> {
  return sql<boolean>`(issues.status = 'ignored' and (issues.ignored_until is null or issues.ignored_until > ${now}))`;
}

/** Unix milliseconds. */
export interface NewTimes {
  at: number;
  /** An issue that was first detected earlier is not new. */
  since: number;
}

/**
 * Condition on `issues`, the only definition of a new issue: it is open, it was first detected after `since`, and nobody has
 * acted on it. A person acts on an issue by setting its status or by planning a fix; a regressed issue was resolved before.
 */
export function isNewSince({ at, since }: NewTimes): RawBuilder<boolean> {
  return sql<boolean>`(${isOpenAt(at)} and issues.first_seen_at > ${since}
    and issues.triaged_at is null and issues.regressed_at is null
    and not exists (
      select 1 from healing_operations
      where healing_operations.tenant_no = issues.tenant_no and healing_operations.issue_id = issues.issue_id))`;
}

/** The ids of the new issues, as a subquery. */
export function newIssues(db: Db, tenantNo: number, times: NewTimes) {
  return db.selectFrom('issues').select('issue_id').where('tenant_no', '=', tenantNo).where(isNewSince(times));
}

/** The new ones of these issues. */
export async function readNewIssueIds(
  db: Db,
  tenantNo: number,
  issueIds: readonly string[],
  times: NewTimes,
): Promise<Set<string>> {
  if (issueIds.length === 0) return new Set();
  const rows = await newIssues(db, tenantNo, times).where('issue_id', 'in', issueIds).execute();
  return new Set(rows.map(({ issue_id }) => issue_id));
}
