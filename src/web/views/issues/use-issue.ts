import type { Issue } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';

/** One issue of the selected tenant. @param issueId null: none */
export function useIssue(issueId: string | null) {
  const tenant_id = tenantId.value;
  const key = tenant_id === null || issueId === null ? null : `issues/one/${tenant_id}/${issueId}`;
  return useQuery<Issue>(key, (signal) => server.issues.get({ tenant_id: tenant_id!, issue_id: issueId! }, { signal }));
}
