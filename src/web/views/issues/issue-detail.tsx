import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Detection, Issue } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { refetchAll, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { count } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { confidenceText } from '../../parts/confidence-text.ts';
import { FixOutcome } from '../../parts/fix-outcome.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Prose } from '../../parts/prose.tsx';
import { relativeTime } from '../../parts/relative-time.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { FeedbackButtons } from '../feedback/feedback-buttons.tsx';
import { FeedbackSummary } from '../feedback/feedback-summary.tsx';
import { runsKey, submitFeedback } from '../feedback/submit-feedback.ts';
import { ActionBar } from './action-bar.tsx';
import { IssueBadges } from './issue-badges.tsx';
import { longCostText, shortCostText } from './issue-cost.ts';
import style from './issue-detail.module.css';
import { IssueEvidence } from './issue-evidence.tsx';
import { IssueFixSection } from './issue-fix-section.tsx';
import { serviceNames } from './issue-workflows.ts';
import { PlanLink } from './plan-link.tsx';

const MAX_RUNS = 50;

/** An issue: whether it is new, and its explanation, fix, cost and evidence in one of its runs. */
export function IssueDetail({ issue, now }: { issue: Issue; now: number }) {
  const runIndex = useSignal(0);
  const runs = useQuery(runsKey(issue.issue_id), (signal) =>
    server.detections.list({ tenant_id: tenantId.value!, issue_id: issue.issue_id, page_size: MAX_RUNS }, { signal }),
  );
  const { value, error } = runs.value;
  const items = value?.items ?? [];
  const example = items[Math.min(runIndex.value, items.length - 1)];
  return (
    <article class={style.detail} aria-labelledby="issue-title">
      <header class={style.head}>
        <div class={style.badges}>
          <IssueBadges issue={issue} />
        </div>
        <h2 id="issue-title" dir="auto">
          <Prose text={issue.title} />
        </h2>
        <IssueFacts issue={issue} now={now} />
        {issue.fix_outcome !== null && (
          <p>
            <FixOutcome outcome={issue.fix_outcome} resolvedAt={issue.resolved_at} />
          </p>
        )}
      </header>
      {hasScope('write') && (
        <ActionBar issues={[issue]}>
          <PlanLink issue={issue} />
        </ActionBar>
      )}
      {error !== undefined && <ErrorNotice title="The runs cannot be shown" error={error} retry={refetchAll} />}
      {example && (
        <>
          <RunPager
            index={runIndex.value}
            shown={items.length}
            total={value!.total}
            onMove={(to) => set(runIndex, to)}
          />
          <Why detection={example} />
        </>
      )}
      <IssueFixSection issue={issue} detection={example} />
      <section class={style.part}>
        <h3>Cost</h3>
        <p>{longCostText(issue, example)}</p>
      </section>
      {example && (
        <>
          <IssueEvidence key={example.detection_id} detection={example} />
          <Feedback detection={example} />
        </>
      )}
      {value && !example && <p class={style.none}>The runs with this issue are no longer stored.</p>}
    </article>
  );
}

function IssueFacts({ issue, now }: { issue: Issue; now: number }) {
  const cost = shortCostText(issue);
  const { first_run_at, last_run_at, first_seen_at, last_seen_at } = issue;
  const services = serviceNames(issue.affected_workflows);
  return (
    <dl class={style.facts}>
      <Fact name="Runs" value={count(issue.run_count)} />
      {cost !== null && <Fact name="Cost" value={cost} />}
      <Fact name="First seen" value={seenText(first_run_at, first_seen_at, now)} />
      <Fact name="Last seen" value={seenText(last_run_at, last_seen_at, now)} />
      {issue.affected_workflows.length > 0 && <Fact name="Workflow" value={<WorkflowLinks issue={issue} />} />}
      {services.length > 0 && <Fact name="Service" value={visibleText(services.join(', '))} />}
      {issue.regressed_at && <Fact name="Regressed" value={relativeTime(issue.regressed_at, now)} />}
      {issue.resolved_at && <Fact name="Resolved" value={relativeTime(issue.resolved_at, now)} />}
    </dl>
  );
}

const HOUR_MS = 3_600_000;

/** The start of a run and, if it was analyzed much later, the time of its detection. @param runAt null: no run is stored */
function seenText(runAt: string | null, detectedAt: string, now: number): string {
  if (runAt === null) return relativeTime(detectedAt, now);
  const isLate = Date.parse(detectedAt) - Date.parse(runAt) > HOUR_MS;
  return `${relativeTime(runAt, now)}${isLate ? ` (detected ${relativeTime(detectedAt, now)})` : ''}`;
}

/** Each links to its runs. */
function WorkflowLinks({ issue: { affected_workflows } }: { issue: Issue }) {
  return (
    <ul class={style.workflows}>
      {affected_workflows.map(({ workflow_id, name }) => (
        <li key={workflow_id}>
          <Link to={addressOf('traces', { workflow: workflow_id })}>
            <bdi>{visibleText(name)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Fact({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface RunPagerProps {
  index: number;
  shown: number;
  total: number;
  onMove(to: number): void;
}

function RunPager({ index, shown, total, onMove }: RunPagerProps) {
  return (
    <div class={style.pager}>
      <Button variant="plain" label="Newer run" disabled={index === 0} onClick={() => onMove(index - 1)}>
        <Icon name="back" />
      </Button>
      <span>
        Run {index + 1} of {count(total)}
        {total > shown && index === shown - 1 ? ` (the newest ${shown} are here)` : ''}
      </span>
      <Button variant="plain" label="Older run" disabled={index >= shown - 1} onClick={() => onMove(index + 1)}>
        <Icon name="open" />
      </Button>
    </div>
  );
}

/** The explanation, and the step of the agent at fault. */
function Why({ detection }: { detection: Detection }) {
  const { explanation, agent_id, step, trace_id, detection_id } = detection;
  return (
    <section class={`${style.part} ${style.why}`}>
      <h3>Why</h3>
      <p dir="auto">
        <Prose text={explanation} />
      </p>
      <p class={style.where}>
        <span dir="auto">
          {visibleText(agent_id ?? 'Unknown agent')}
          {step === null ? '' : `, step ${step}`}
        </span>
        <Link to={addressOf('trace', { id: trace_id }, { finding: detection_id })}>Open the trace at this step</Link>
      </p>
      <p class={style.sure}>{confidenceText(detection)}</p>
    </section>
  );
}

function Feedback({ detection }: { detection: Detection }) {
  if (!hasScope('write') && detection.validation === null) return null;
  return (
    <section class={style.part}>
      <h3>Is this detection right?</h3>
      <FeedbackSummary validation={detection.validation} />
      <FeedbackButtons
        validation={detection.validation}
        onFeedback={(isRight) => void submitFeedback(detection, isRight, null)}
      />
    </section>
  );
}
