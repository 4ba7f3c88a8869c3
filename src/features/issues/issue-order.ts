import type { Severity } from '../../core/severity.ts';
import type { IssueDay } from '../../store/issue.store.ts';
import type { IssueTable } from '../../store/schema.ts';
import type { Position } from '../_kit/cursor.ts';
import { impactOf } from './impact.ts';

export const ISSUE_SORTS = ['impact', 'last_seen', 'first_seen', 'runs', 'cost'] as const;
export type IssueSort = (typeof ISSUE_SORTS)[number];

/** Above every impact: a recurrence comes first. */
const REGRESSED = 1e15;

export interface RankedIssue {
  row: IssueTable;
  impact: number;
  position: Position;
}

/** Issues in the order of the list. @param days of all these issues */
export function inOrderOf(
  sort: IssueSort,
  rows: readonly IssueTable[],
  days: ReadonlyMap<string, readonly IssueDay[]>,
): RankedIssue[] {
  return rows
    .map((row) => {
      const ownDays = days.get(row.issue_id) ?? [];
      const impact = impactOf(row.severity as Severity, ownDays);
      const rank = rankOf(sort, row, ownDays, impact);
      return { row, impact, position: { at: row.last_seen_at, id: row.issue_id, rank } };
    })
    .sort((one, other) => compare(one.position, other.position));
}

/** Negative if the first one comes first: the higher rank, then the later last occurrence. */
export function compare(one: Position, other: Position): number {
  const byRank = (other.rank ?? 0) - (one.rank ?? 0) || other.at - one.at;
  return byRank || Number(one.id < other.id) - Number(one.id > other.id);
}

function rankOf(sort: IssueSort, row: IssueTable, days: readonly IssueDay[], impact: number): number {
  const sumOf = (value: (day: IssueDay) => number) => days.reduce((sum, day) => sum + value(day), 0);
  switch (sort) {
    case 'impact':
      return impact + (row.regressed_at === null ? 0 : REGRESSED);
    case 'last_seen':
      return row.last_seen_at;
    case 'first_seen':
      return row.first_seen_at;
    case 'runs':
      return sumOf((day) => day.runs);
    case 'cost':
      return sumOf((day) => day.wastedCostUsd);
  }
}
