import type { Issue, Trace } from '../../client/misstep-client.generated.ts';

type FixedIssue = Pick<Issue, 'issue_id' | 'fix_outcome'>;

/** The issues whose fix was applied before the run and that concern one of its agents. */
export function heldFixes<One extends FixedIssue>(
  issues: readonly One[],
  { agent_ids, started_at }: Pick<Trace, 'agent_ids' | 'started_at'>,
): One[] {
  return issues.filter(
    ({ fix_outcome }) =>
      fix_outcome?.agent_id != null &&
      agent_ids.includes(fix_outcome.agent_id) &&
      Date.parse(fix_outcome.since) <= Date.parse(started_at),
  );
}
