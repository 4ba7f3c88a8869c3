import type { IssueTable } from '../../store/schema.ts';

/** The status of an issue that people set, and what its next occurrence changes. Times are Unix milliseconds. */
export type Triage = Pick<
  IssueTable,
  | 'status'
  | 'resolved_at'
  | 'resolved_by'
  | 'last_resolved_at'
  | 'regressed_at'
  | 'ignored_at'
  | 'ignored_until'
  | 'ignored_runs_left'
>;

export type IssueStatus = 'open' | 'resolved' | 'ignored';

export type TriageAction =
  | { kind: 'resolve' }
  /** Both null: until a person reopens it. */
  | { kind: 'ignore'; until: number | null; runs: number | null }
  /** Null: for 24 hours. */
  | { kind: 'snooze'; until: number | null }
  | { kind: 'reopen' };

const SNOOZE_MS = 86_400_000;

export const OPEN: Triage = {
  status: 'open',
  resolved_at: null,
  resolved_by: null,
  last_resolved_at: null,
  regressed_at: null,
  ignored_at: null,
  ignored_until: null,
  ignored_runs_left: null,
};

/** @param by who did it; null: no detection counts for the issue any more, so it resolved itself */
export function resolved(now: number, by: string | null): Triage {
  return { ...OPEN, status: 'resolved', resolved_at: now, resolved_by: by, last_resolved_at: by === null ? null : now };
}

export function afterAction(action: TriageAction, now: number, by: string): Triage {
  if (action.kind === 'resolve') return resolved(now, by);
  if (action.kind === 'reopen') return OPEN;
  const ignored = { ...OPEN, status: 'ignored', ignored_at: now };
  if (action.kind === 'snooze') return { ...ignored, ignored_until: action.until ?? now + SNOOZE_MS };
  return { ...ignored, ignored_until: action.until, ignored_runs_left: action.runs };
}

/** An issue that is ignored until a time is open after it, without a write. */
export function statusAt(
  { status, ignored_until }: Pick<Triage, 'status' | 'ignored_until'>,
  now: number,
): IssueStatus {
  if (status === 'ignored' && ignored_until !== null && ignored_until <= now) return 'open';
  return status as IssueStatus;
}

export interface Occurrence {
  /** End of the run's last span: an earlier run is not a recurrence, even if it is analyzed later. */
  seenAt: number;
  /** No other detection of the run was counted for the issue before. */
  isNewRun: boolean;
}

/** The issue after one more detection of it. Null: nothing changes. */
export function afterOccurrence(issue: Triage, { seenAt, isNewRun }: Occurrence, now: number): Triage | null {
  const status = statusAt(issue, now);
  if (status === 'resolved') return afterResolved(issue, seenAt, now);
  if (status === 'open') return issue.status === 'open' ? null : OPEN;
  if (issue.ignored_runs_left === null || !isNewRun || seenAt <= (issue.ignored_at ?? 0)) return null;
  const runsLeft = issue.ignored_runs_left - 1;
  return runsLeft > 0 ? { ...issue, ignored_runs_left: runsLeft } : OPEN;
}

function afterResolved(
  { resolved_at, resolved_by, last_resolved_at }: Triage,
  seenAt: number,
  now: number,
): Triage | null {
  const hasRecurred = seenAt > (resolved_at ?? 0);
  if (hasRecurred) return { ...OPEN, regressed_at: now, last_resolved_at };
  // No person resolved it: its detections were withdrawn, and one of them was detected again.
  return resolved_by === null ? OPEN : null;
}
