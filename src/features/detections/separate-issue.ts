import type { Db } from '../../store/connection.ts';
import { insertIssue, moveDetections, readIssueSources, updateIssue } from '../../store/issue.store.ts';
import type { IssueTable } from '../../store/schema.ts';
import { issueFingerprint, issueScopeOf } from './issue-scope.ts';

/**
 * Separates an issue from before issues had a scope: the sender of its first detection keeps the issue and its id, and every
 * other sender gets an issue of its own with the same status. @param issue its fingerprint is that of its detections
 */
export async function separateIssue(db: Db, issue: IssueTable, newId: (prefix: string) => string): Promise<void> {
  const sources = await readIssueSources(db, issue.tenant_no, issue.issue_id);
  const byScope = Map.groupBy(sources, issueScopeOf);
  const [owner, ...others] = byScope.keys();
  if (owner === undefined) return;
  const fingerprint = issueFingerprint(issue.fingerprint, owner);
  // First, because another sender, if it is not known, gets the fingerprint that the issue has now.
  if (fingerprint !== issue.fingerprint) await updateIssue(db, issue.tenant_no, issue.issue_id, { fingerprint });
  for (const scope of others) {
    const separate = {
      ...issue,
      issue_id: newId('iss'),
      fingerprint: issueFingerprint(issue.fingerprint, scope),
    };
    await insertIssue(db, separate);
    const traceIds = byScope.get(scope)!.map(({ traceId }) => traceId);
    await moveDetections(db, issue.tenant_no, traceIds, { from: issue.issue_id, to: separate.issue_id });
  }
}
