import type { Detection, Issue } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { hasScope } from '../../data/session.ts';
import { FixOutcome } from '../../parts/fix-outcome.tsx';
import { STATUS_LABELS } from '../../parts/plan-status.ts';
import { Prose } from '../../parts/prose.tsx';
import { nextFix } from '../healing/fix-plans.ts';
import style from './issue-detail.module.css';
import { pendingPlan } from './issue-fix.ts';

interface IssueFixSectionProps {
  issue: Issue;
  /** The shown run; undefined while it is loading, or if it is no longer stored. */
  detection: Detection | undefined;
}

/** The plans of an issue with their outcomes, and what is suggested otherwise. */
export function IssueFixSection({ issue, detection }: IssueFixSectionProps) {
  const { plans } = issue;
  return (
    <section class={style.part}>
      <h3>Fix</h3>
      {plans.length > 0 && (
        <ul class={style.plans}>
          {plans.map(({ operation_id, title, status, fix_outcome }) => (
            <li key={operation_id}>
              <Link to={addressOf('plan', { op: operation_id })}>
                <bdi>
                  <Prose text={title} />
                </bdi>
              </Link>{' '}
              <span class={style.note}>· {STATUS_LABELS[status]}</span>
              {fix_outcome !== null && (
                <p>
                  <FixOutcome outcome={fix_outcome} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {detection && <Suggestion detection={detection} plans={plans} />}
    </section>
  );
}

/** The next fix. With a plan that waits, the link to plan another one is not the main action. */
function Suggestion({ detection, plans }: { detection: Detection; plans: Issue['plans'] }) {
  const { fixes, suggested_action, detection_id } = detection;
  const fix = nextFix(fixes, plans);
  if (pendingPlan(plans) !== undefined)
    return hasScope('write') ? (
      <p>
        <Link to={addressOf('newPlan', { detection: detection_id })}>Plan another fix</Link>
      </p>
    ) : null;
  if (fix === undefined && fixes.length > 0)
    return <p class={style.note}>All fixes of this detection are applied. “Plan another fix” takes a custom change.</p>;
  return (
    <>
      <p dir="auto">
        <strong>
          <Prose text={fix?.title ?? suggested_action} />
        </strong>
      </p>
      {fix && (
        <p dir="auto">
          <Prose text={fix.description} />
        </p>
      )}
    </>
  );
}
