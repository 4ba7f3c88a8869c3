import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { issueSummary } from '../issues/issue-summary.ts';
import { useIssue } from '../issues/use-issue.ts';

/** Links to an issue, and says whether it is new, how many runs have it, and how far its fix is. */
export function IssueLink({ issueId }: { issueId: string }) {
  const { value } = useIssue(issueId).value;
  return <Link to={addressOf('issue', { id: issueId })}>{value === undefined ? 'Issue' : issueSummary(value)}</Link>;
}
