import type { Detection, Fix, HealingSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { hasScope } from '../../data/session.ts';
import { FixOutcome } from '../../parts/fix-outcome.tsx';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { STATUS_LABELS } from '../../parts/plan-status.ts';
import { Prose } from '../../parts/prose.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { DetectionLinks, FixCautions } from './fix-facts.tsx';
import { nextFix, planOfFix, planStatusText } from './fix-plans.ts';
import style from './healing.module.css';
import { useDetection, usePlansFor } from './healing-queries.ts';
import { PlanChange } from './plan-changes.tsx';
import { PlanForm } from './plan-form.tsx';
import { RISK_LABELS, targetLabel } from './plan-labels.ts';

/** Plans a fix of a detection: its changes and its executor. */
export function NewPlanView() {
  const { detection: detectionId, fix: fixId } = currentRoute.value?.query ?? {};
  const detectionQuery = useDetection(detectionId);
  return (
    <div class={`${style.view} ${style.plan}`}>
      <Link to={addressOf('healing')}>‹ Healing</Link>
      <PageHeading title="Plan a fix" />
      {detectionId === undefined && <NoDetection />}
      <QueryResult query={detectionQuery} failure="The detection cannot be shown">
        {(detection) => (detection === null ? <NoDetection /> : <PlanOptions detection={detection} fixId={fixId} />)}
      </QueryResult>
    </div>
  );
}

function NoDetection() {
  return (
    <EmptyNotice title="No detection is selected, or it is no longer stored">
      <p>
        A plan belongs to a detection. Open an <Link to={addressOf('issues')}>issue</Link> and choose “Plan fix”.
      </p>
    </EmptyNotice>
  );
}

function PlanOptions({ detection, fixId }: { detection: Detection; fixId: string | undefined }) {
  const plans = usePlansFor(detection).value.value?.items ?? [];
  const planOf = (id: string) => planOfFix(id, plans);
  const fix =
    fixId === undefined ? nextFix(detection.fixes, plans) : detection.fixes.find(({ fix_id }) => fix_id === fixId);
  const existing = fix === undefined ? undefined : planOf(fix.fix_id);
  return (
    <>
      <section class={style.part} aria-labelledby="plan-origin">
        <h2 id="plan-origin">What went wrong</h2>
        <DetectionLinks detection={detection} />
      </section>
      <ExistingPlans plans={plans} />
      {detection.fixes.length > 1 && <FixChoice detection={detection} selected={fix} planOf={planOf} />}
      {fix ? (
        <FixText fix={fix} />
      ) : (
        <p class={style.none}>All fixes of this detection are applied. You can plan a custom change.</p>
      )}
      {existing && (
        <p class={style.caution}>
          This fix is already {existing.status === 'applied' ? 'applied' : 'planned'}:{' '}
          <Link to={addressOf('plan', { op: existing.operation_id })}>open the plan</Link>.
        </p>
      )}
      {hasScope('write') ? (
        <PlanForm key={fix?.fix_id} detection={detection} fix={fix} />
      ) : (
        <p class={style.none}>Your key is read-only and cannot plan a fix.</p>
      )}
    </>
  );
}

/** Shows existing plans, so that a fix is not planned twice. */
function ExistingPlans({ plans }: { plans: readonly HealingSummary[] }) {
  if (plans.length === 0) return null;
  return (
    <section class={style.part} aria-labelledby="plan-others">
      <h2 id="plan-others">Plans already made</h2>
      <ul>
        {plans.map((plan) => (
          <li key={plan.operation_id}>
            <Link to={addressOf('plan', { op: plan.operation_id })}>
              <bdi>
                <Prose text={plan.title} />
              </bdi>
            </Link>{' '}
            <span class={style.note}>
              · {STATUS_LABELS[plan.status]} · <bdi>{visibleText(targetLabel(plan))}</bdi>
            </span>
            {plan.fix_outcome !== null && (
              <>
                {' '}
                <FixOutcome outcome={plan.fix_outcome} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FixChoiceProps {
  detection: Detection;
  selected: Fix | undefined;
  /** The open plan of a fix. */
  planOf(fixId: string): HealingSummary | undefined;
}

function FixChoice({ detection, selected, planOf }: FixChoiceProps) {
  return (
    <nav aria-labelledby="plan-fixes" class={style.part}>
      <h2 id="plan-fixes">Choose a fix</h2>
      <ul class={style.fixes}>
        {detection.fixes.map(({ fix_id, title, risk, applied_at }) => (
          <li key={fix_id}>
            <Link
              to={addressOf('newPlan', { detection: detection.detection_id, fix: fix_id })}
              {...(fix_id === selected?.fix_id ? { 'aria-current': 'true' as const } : {})}
            >
              <bdi>
                <Prose text={title} />
              </bdi>
              <small>
                {RISK_LABELS[risk]} risk
                {usedText(applied_at, planOf(fix_id))}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function usedText(appliedAt: string | null, plan: HealingSummary | undefined): string {
  if (plan?.status === 'applied') return ` · ${planStatusText(plan).toLowerCase()}`;
  if (appliedAt !== null) return ' · applied';
  return plan === undefined ? '' : ' · already planned';
}

function FixText({ fix }: { fix: Fix }) {
  return (
    <section class={style.part} aria-labelledby="plan-fix">
      <h2 id="plan-fix" dir="auto">
        <Prose text={fix.title} />
      </h2>
      <p dir="auto">
        <Prose text={fix.description} />
      </p>
      {fix.rationale !== '' && (
        <p dir="auto">
          <strong>Why it helps:</strong> <Prose text={fix.rationale} />
        </p>
      )}
      <FixCautions fix={fix} />
      {fix.changes.map((change, index) => (
        <PlanChange key={index} caption={captionOf(change)} change={change} />
      ))}
    </section>
  );
}

function captionOf({ format, before, target }: Fix['changes'][number]): string {
  const isProposal = format === 'text' && before === null;
  if (target === '') return isProposal ? 'Proposed text' : '';
  return `${isProposal ? 'Proposed text for' : 'Change in'} ${target}`;
}
