import type { Issue } from '../../../client/misstep-client.generated.ts';
import { addressOf } from '../../address/router.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { pendingPlan } from './issue-fix.ts';

/** The next action for an open issue: to plan a fix, or to go on with its plan. */
export function PlanLink({ issue }: { issue: Issue }) {
  if (issue.status !== 'open') return null;
  const plan = pendingPlan(issue.plans);
  if (plan !== undefined)
    return (
      <ButtonLink isPrimary to={addressOf('plan', { op: plan.operation_id })}>
        Open plan
      </ButtonLink>
    );
  if (issue.example_detection_id === null) return null;
  return (
    <ButtonLink isPrimary to={addressOf('newPlan', { detection: issue.example_detection_id })}>
      {issue.plans.some(({ status }) => status === 'applied') ? 'Plan another fix' : 'Plan fix'}
    </ButtonLink>
  );
}
