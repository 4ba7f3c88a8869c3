import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { FixOutcome } from '../../parts/fix-outcome.tsx';
import { Prose } from '../../parts/prose.tsx';
import { heldFixes } from '../../trace-model/held-fixes.ts';
import type { TraceState } from './trace-state.ts';

const MAX_ISSUES = 200;

/** The fixes that were applied before a run without detections: their failures did not occur in it. */
export function AppliedFixes({ state }: { state: TraceState }) {
  const tenant_id = tenantId.value;
  const trace = state.trace.value;
  const issues = useQuery(tenant_id === null ? null : `issues/${tenant_id}/fixed`, (signal) =>
    server.issues.list({ tenant_id: tenant_id!, page_size: MAX_ISSUES }, { signal }),
  );
  return heldFixes(issues.value.value?.items ?? [], trace).map(({ issue_id, title, fix_outcome }) => (
    <p key={issue_id}>
      A fix for{' '}
      <Link to={addressOf('issue', { id: issue_id })}>
        <bdi>
          <Prose text={title} />
        </bdi>
      </Link>{' '}
      was applied before this run. <FixOutcome outcome={fix_outcome!} />
    </p>
  ));
}
