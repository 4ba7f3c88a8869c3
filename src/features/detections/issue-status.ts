import type { Db } from '../../store/connection.ts';
import { readIssue, readIssueFigures, updateIssue } from '../../store/issue.store.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { OPEN, resolved, statusAt } from '../issues/triage.ts';
import { isMarkedFalse } from './counted.ts';

/**
 * Resolves an open issue that no detection counts for any more. A status that a person set is kept. Call it in the
 * transaction of the change. @returns whether it was resolved
 */
export async function resolveEmptyIssue(
  db: Db,
  tenantNo: number,
  issueId: string | null,
  now: number,
): Promise<boolean> {
  if (issueId === null || (await countOf(db, tenantNo, issueId)) > 0) return false;
  const issue = await readIssue(db, tenantNo, issueId);
  if (issue === null || statusAt(issue, now) !== 'open') return false;
  await updateIssue(db, tenantNo, issueId, resolved(now, null));
  return true;
}

/** Updates the status of a detection's issue after its mark changed. Call it in the transaction of the mark. */
export async function updateMarkedIssue(db: Db, detection: DetectionTable, now: number): Promise<void> {
  const { tenant_no: tenantNo, issue_id: issueId } = detection;
  if (isMarkedFalse(detection)) return void (await resolveEmptyIssue(db, tenantNo, issueId, now));
  // An issue with other detections was not resolved by the mark, so it is unchanged.
  if (issueId === null || (await countOf(db, tenantNo, issueId)) !== 1) return;
  const issue = await readIssue(db, tenantNo, issueId);
  if (issue?.status === 'resolved' && issue.resolved_by === null) await updateIssue(db, tenantNo, issueId, OPEN);
}

async function countOf(db: Db, tenantNo: number, issueId: string): Promise<number> {
  const figures = await readIssueFigures(db, tenantNo, [issueId]);
  return figures.reduce((sum, { count }) => sum + count, 0);
}
