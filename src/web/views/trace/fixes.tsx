import type { Detection, HealingSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { hasScope } from '../../data/session.ts';
import { STATUS_LABELS } from '../../parts/plan-status.ts';
import { Prose } from '../../parts/prose.tsx';
import { zonedTimeText } from '../../parts/times.ts';
import { appliedText, inOrderOfUse, nextFix, planOfFix } from '../healing/fix-plans.ts';
import { usePlansFor } from '../healing/healing-queries.ts';
import { FixView } from './fix-view.tsx';
import type { TraceState } from './trace-state.ts';

/** The fixes of a detection: what was applied already, and what is suggested next. */
export function Fixes({ detection, state }: { detection: Detection; state: TraceState }) {
  const plans = usePlansFor(detection).value.value?.items ?? [];
  const applied = plans.filter(isApplied);
  const { suggested_action, fixes } = detection;
  return (
    <>
      {applied.map((plan) => (
        <p key={plan.operation_id} dir="auto">
          <Link to={addressOf('plan', { op: plan.operation_id })}>
            <Prose text={plan.title} />
          </Link>
          : applied {zonedTimeText(plan.applied_at)}, {appliedText(plan, state.trace.value)}
        </p>
      ))}
      {applied.length === 0 && suggested_action !== '' && (
        <p dir="auto">
          <Prose text={suggested_action} />
        </p>
      )}
      {applied.length > 0 && nextFix(fixes, plans) === undefined && hasScope('write') && (
        <p>
          <Link to={addressOf('newPlan', { detection: detection.detection_id })}>Plan a custom change</Link>
        </p>
      )}
      {inOrderOfUse(fixes, plans).map((fix) => (
        <FixView key={fix.fix_id} fix={fix} plan={planOfFix(fix.fix_id, plans)} />
      ))}
    </>
  );
}

/** The same in print, without changes. */
export function PrintedFixes({ detection, state }: { detection: Detection; state: TraceState }) {
  const plans = usePlansFor(detection).value.value?.items ?? [];
  const applied = plans.filter(isApplied);
  const { suggested_action, fixes } = detection;
  return (
    <>
      {applied.map((plan) => (
        <div key={plan.operation_id}>
          Fix: <Prose text={plan.title} />: applied {zonedTimeText(plan.applied_at)},{' '}
          {appliedText(plan, state.trace.value)}
        </div>
      ))}
      {applied.length === 0 && suggested_action !== '' && (
        <div>
          Fix: <Prose text={suggested_action} />
        </div>
      )}
      {inOrderOfUse(fixes, plans).map(({ fix_id, title }) => {
        const plan = planOfFix(fix_id, plans);
        return (
          <div key={fix_id}>
            Change: <Prose text={title} /> · {plan === undefined ? 'no plan' : STATUS_LABELS[plan.status].toLowerCase()}
          </div>
        );
      })}
    </>
  );
}

type AppliedPlan = HealingSummary & { applied_at: string };

function isApplied(plan: HealingSummary): plan is AppliedPlan {
  return plan.status === 'applied' && plan.applied_at !== null;
}
