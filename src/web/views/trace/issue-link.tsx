import type { Issue } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { issueSummary } from '../issues/issue-summary.ts';

/** Links to an issue, and says whether it is new and how many runs have it. */
export function IssueLink({ issueId }: { issueId: string }) {
  const tenant_id = tenantId.value;
  const issue = useQuery<Issue>(tenant_id === null ? null : `issues/one/${tenant_id}/${issueId}`, (signal) =>
    server.issues.get({ tenant_id: tenant_id!, issue_id: issueId }, { signal }),
  );
  const { value } = issue.value;
  return <Link to={addressOf('issue', { id: issueId })}>{value === undefined ? 'Issue' : issueSummary(value)}</Link>;
}
