import type { ComponentChildren } from 'preact';
import type { Detection, Fix, HealingOperation } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { useActorNames } from '../../data/actor-names.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { Prose } from '../../parts/prose.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { zonedTimeText } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { changeIssues } from '../issues/issue-actions.ts';
import { useIssue } from '../issues/use-issue.ts';
import { DetectionLinks, FixCautions } from './fix-facts.tsx';
import { didNotHold } from './fix-plans.ts';
import style from './healing.module.css';
import { useDetection, usePlan } from './healing-queries.ts';
import { BY_HAND, verificationText } from './plan-actions.ts';
import { PlanButtons } from './plan-buttons.tsx';
import { PlanChange } from './plan-changes.tsx';
import { consequenceText, fixTypeLabel, RISK_LABELS, targetLabel } from './plan-labels.ts';
import { PlanStepper } from './plan-stepper.tsx';
import { PreviousThresholds } from './previous-thresholds.tsx';

/** One plan: its changes, their reason, its progress and the allowed actions. */
export function PlanView() {
  const operationId = currentRoute.value?.params.op ?? '';
  const planQuery = usePlan(operationId);
  const title = planQuery.value.value?.title;
  return (
    <div class={`${style.view} ${style.plan}`}>
      <Link to={addressOf('healing')}>‹ Healing</Link>
      <PageHeading title={title ?? 'Plan'} />
      <QueryResult query={planQuery} failure="The plan cannot be shown">
        {(plan) => <Plan plan={plan} />}
      </QueryResult>
    </div>
  );
}

function Plan({ plan }: { plan: HealingOperation }) {
  const detectionQuery = useDetection(plan.detection_id);
  const detection = detectionQuery.value.value;
  const { phraseOf } = useActorNames(tenantId.value);
  const fix = detection?.fixes.find(({ fix_id }) => fix_id === plan.fix_id);
  return (
    <>
      <PlanStepper plan={plan} />
      <dl class={style.facts}>
        <Fact name="What changes">
          <bdi>{visibleText(targetLabel(plan))}</bdi>
        </Fact>
        <Fact name="Risk">{RISK_LABELS[plan.risk]}</Fact>
        <Fact name="Kind of fix">{sentenceCase(fixTypeLabel(plan.fix_type))}</Fact>
        <Fact name="Planned">
          {zonedTimeText(plan.created_at)}
          {plan.created_by !== null && ` by ${visibleText(phraseOf(plan.created_by))}`}
        </Fact>
        {plan.note !== null && (
          <Fact name="Note">
            <bdi>{visibleText(plan.note)}</bdi>
          </Fact>
        )}
      </dl>
      {plan.error !== null && (
        <p class={style.problem} dir="auto">
          {visibleText(plan.error)}
        </p>
      )}
      {plan.verification !== null && (
        <p class={style.note}>
          {verificationText(plan.verification)} Checked {zonedTimeText(plan.verification.checked_at)}.
        </p>
      )}
      <Reason plan={plan} fix={fix} detection={detection} />
      <section class={style.part} aria-labelledby="plan-change">
        <h2 id="plan-change">Change</h2>
        {fix && isBeforeChange(plan) && <FixCautions fix={fix} />}
        {plan.executor === 'settings' && (
          <>
            <p class={style.caution}>
              This changes what Misstep reports, not the agent: the failure itself stays. A detector with a lower
              threshold reports more detections; with a higher one, fewer.
            </p>
            <PreviousThresholds plan={plan} />
          </>
        )}
        {plan.plan.map(({ step, description, format, patch, inverse }) => (
          <PlanChange key={step} caption={description} change={{ format, before: inverse, after: patch }} />
        ))}
      </section>
      <section class={style.part} aria-label="Next step">
        <NextStep plan={plan} />
        <PlanButtons plan={plan} />
      </section>
    </>
  );
}

/** What the buttons do, or what to do first. */
function NextStep({ plan }: { plan: HealingOperation }) {
  const { status, executor, action } = plan;
  if (status === 'executing' && executor === BY_HAND)
    return (
      <p>
        {action === 'rollback' ? 'Undo the change by hand' : 'Make the change by hand'}, then record the outcome here.
      </p>
    );
  if (status === 'unknown')
    return (
      <p>
        It is not known whether the {action === 'rollback' ? 'rollback' : 'change'} was made. Check the target: Misstep
        reads it and compares it with the plan. Then record the outcome.
      </p>
    );
  if (didNotHold(plan))
    return (
      <>
        <p>The failure was detected again since this fix was applied. Plan another fix, or undo this one.</p>
        {hasScope('write') && (
          <p>
            <ButtonLink isPrimary to={addressOf('newPlan', { detection: plan.detection_id })}>
              Plan another fix
            </ButtonLink>
          </p>
        )}
      </>
    );
  const consequence = hasScope('write') ? consequenceText(plan) : null;
  return (
    <>
      {status === 'applied' && plan.issue !== null && hasScope('write') && (
        <ResolveIssue issueId={plan.issue.issue_id} />
      )}
      {consequence !== null && <p class={style.none}>{consequence}</p>}
    </>
  );
}

/** Resolves the issue of an applied plan; nothing if it is not open. */
function ResolveIssue({ issueId }: { issueId: string }) {
  const issue = useIssue(issueId).value.value;
  if (issue?.status !== 'open') return null;
  return (
    <>
      <p>Resolve the issue if the fix holds. It is reopened if the failure is detected again.</p>
      <p>
        <Button variant="primary" onClick={() => void changeIssues([issue], { action: 'resolve' })}>
          Resolve issue
        </Button>
      </p>
    </>
  );
}

/** Whether the cautions of the fix can still be heeded. */
function isBeforeChange({ status, action }: HealingOperation): boolean {
  return status === 'pending_approval' || status === 'approved' || (status === 'executing' && action === 'apply');
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ReasonProps {
  plan: HealingOperation;
  fix: Fix | undefined;
  /** Null if it is no longer stored, undefined while it is loading. */
  detection: Detection | null | undefined;
}

/** The detection that the plan belongs to, and how the fix helps. */
function Reason({ plan, fix, detection }: ReasonProps) {
  if (detection === undefined) return null;
  const isOwnChange = plan.fix_id === null;
  return (
    <section class={style.part} aria-labelledby="plan-reason">
      <h2 id="plan-reason">Why</h2>
      {detection === null ? (
        <p class={style.none}>The detection that this plan belongs to is no longer stored.</p>
      ) : (
        <DetectionLinks detection={detection} />
      )}
      {isOwnChange && (
        <p class={style.none}>
          A person wrote this change. It is not one of the fixes that Misstep suggests for the detection.
        </p>
      )}
      {fix && (
        <p dir="auto">
          <Prose text={fix.description} />
        </p>
      )}
      {fix && fix.rationale !== '' && (
        <p dir="auto">
          <Prose text={fix.rationale} />
        </p>
      )}
    </section>
  );
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
