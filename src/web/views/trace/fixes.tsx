import type { Detection, Fix, HealingSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { hasScope } from '../../data/session.ts';
import { Prose } from '../../parts/prose.tsx';
import { inOrderOfUse, namedPlans, openPlans, planOfFix, planStateText } from '../healing/fix-plans.ts';
import { usePlansFor } from '../healing/healing-queries.ts';
import { FixView } from './fix-view.tsx';
import type { TraceState } from './trace-state.ts';

interface FixesProps {
  detection: Detection;
  state: TraceState;
}

interface PlansAndFixes {
  /** Shown first, so that no fix is planned beside them by mistake. */
  plans: HealingSummary[];
  /** What the detection suggests; null beside an open plan. */
  suggestion: string | null;
  /** The fixes without an open plan. */
  fixes: Fix[];
  hasOpenPlan: boolean;
}

/** What every view of a trace shows of the fixes of a detection, in this order. */
function usePlansAndFixes(detection: Detection): PlansAndFixes {
  const plans = usePlansFor(detection).value.value?.items ?? [];
  const hasOpenPlan = openPlans(plans).length > 0;
  return {
    plans: namedPlans(plans),
    suggestion: hasOpenPlan || detection.suggested_action === '' ? null : detection.suggested_action,
    fixes: inOrderOfUse(detection.fixes, plans).filter(({ fix_id }) => planOfFix(fix_id, plans) === undefined),
    hasOpenPlan,
  };
}

/** The plans for a detection with their status, then what can be planned. */
export function Fixes({ detection, state }: FixesProps) {
  const { plans, suggestion, fixes, hasOpenPlan } = usePlansAndFixes(detection);
  return (
    <>
      {plans.map((plan) => (
        <p key={plan.operation_id} dir="auto">
          <Link to={addressOf('plan', { op: plan.operation_id })}>
            <Prose text={plan.title} />
          </Link>
          : {planStateText(plan, state.trace.value)}
        </p>
      ))}
      {suggestion !== null && (
        <p dir="auto">
          <Prose text={suggestion} />
        </p>
      )}
      {hasOpenPlan && fixes.length === 0 && hasScope('write') && (
        <p>
          <Link to={addressOf('newPlan', { detection: detection.detection_id })}>Plan another fix</Link>
        </p>
      )}
      {plans.length > 0 && fixes.length > 0 && <p>Other fixes, without a plan:</p>}
      {fixes.map((fix) => (
        <FixView key={fix.fix_id} fix={fix} />
      ))}
    </>
  );
}

/** The same in print, without changes. */
export function PrintedFixes({ detection, state }: FixesProps) {
  const { plans, suggestion, fixes } = usePlansAndFixes(detection);
  return (
    <>
      {plans.map((plan) => (
        <div key={plan.operation_id}>
          Fix: <Prose text={plan.title} />: {planStateText(plan, state.trace.value)}
        </div>
      ))}
      {suggestion !== null && (
        <div>
          Fix: <Prose text={suggestion} />
        </div>
      )}
      {fixes.map(({ fix_id, title }) => (
        <div key={fix_id}>
          {plans.length > 0 ? 'Other fix, without a plan' : 'Possible fix'}: <Prose text={title} />
        </div>
      ))}
    </>
  );
}
