import { useSignal } from '@preact/signals';
import type { Detection, Issue } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { refetchAll, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { count, dollars, shortCount } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { confidenceText } from '../../parts/confidence-text.ts';
import { Icon } from '../../parts/icon.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { relativeTime } from '../../parts/relative-time.ts';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { FeedbackButtons } from '../feedback/feedback-buttons.tsx';
import { FeedbackSummary } from '../feedback/feedback-summary.tsx';
import { runsKey, submitFeedback } from '../feedback/submit-feedback.ts';
import { ActionBar } from './action-bar.tsx';
import style from './issue-detail.module.css';

const MAX_RUNS = 50;

function evidenceName(kind: string, path: string | null): string {
  const label = kind.replaceAll('_', ' ');
  return visibleText(path === null || path === kind ? label : `${label} · ${path}`);
}

/** The explanation, location and fix of an issue, illustrated by one of its runs. */
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
        <SeverityMark severity={issue.severity} hasLabel />
        <h2 id="issue-title" dir="auto">
          {visibleText(issue.title)}
        </h2>
        <dl class={style.facts}>
          <Fact name="Runs" value={count(issue.run_count)} />
          <Fact name="Wasted" value={wasteOf(issue)} />
          <Fact name="First detected" value={relativeTime(issue.first_seen_at, now)} />
          <Fact name="Last detected" value={relativeTime(issue.last_seen_at, now)} />
          {issue.regressed_at && <Fact name="Regressed" value={relativeTime(issue.regressed_at, now)} />}
          {issue.resolved_at && <Fact name="Resolved" value={relativeTime(issue.resolved_at, now)} />}
        </dl>
      </header>
      {hasScope('write') && <ActionBar issues={[issue]} />}
      {error !== undefined && <ErrorNotice title="The runs could not be read" error={error} retry={refetchAll} />}
      {example && (
        <>
          <RunPager
            index={runIndex.value}
            shown={items.length}
            total={value!.total}
            onMove={(to) => set(runIndex, to)}
          />
          <Example detection={example} />
        </>
      )}
      {value && !example && <p class={style.none}>The runs with this issue are no longer stored.</p>}
    </article>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function wasteOf({ wasted_tokens, wasted_cost_usd }: Issue): string {
  const parts = [
    wasted_cost_usd > 0 ? dollars(wasted_cost_usd) : null,
    wasted_tokens > 0 ? `${shortCount(wasted_tokens)} tokens` : null,
  ];
  return parts.filter((part) => part !== null).join(', ') || 'nothing measured';
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

function Example({ detection }: { detection: Detection }) {
  const { explanation, evidence, fixes, suggested_action, agent_id, step, trace_id, detection_id } = detection;
  const [fix] = fixes;
  const quoted = evidence.filter(({ quote }) => quote !== null);
  return (
    <>
      <section class={`${style.part} ${style.why}`}>
        <h3>Why</h3>
        <LongText text={explanation} />
        <p class={style.sure}>{confidenceText(detection)}</p>
      </section>
      {quoted.length > 0 && (
        <section class={style.part}>
          <h3>Evidence</h3>
          <ul class={style.evidence}>
            {quoted.slice(0, 4).map(({ quote, kind, path }, index) => (
              <li key={`${detection_id}-${index}`}>
                <span class={style.note} dir="auto">
                  {evidenceName(kind, path)}
                </span>
                {quote && <LongText text={quote} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class={style.part}>
        <h3>Where</h3>
        <p dir="auto">
          {visibleText(agent_id ?? 'Unknown agent')}
          {step === null ? '' : `, step ${step}`}
        </p>
        <Link to={addressOf('trace', { id: trace_id }, { finding: detection_id })}>Open the trace at this step</Link>
      </section>
      {(hasScope('write') || detection.validation !== null) && (
        <section class={style.part}>
          <h3>Is this detection right?</h3>
          <FeedbackSummary validation={detection.validation} />
          <FeedbackButtons
            validation={detection.validation}
            onFeedback={(isRight) => void submitFeedback(detection, isRight, null)}
          />
        </section>
      )}
      <section class={style.part}>
        <h3>Fix</h3>
        <p dir="auto">{visibleText(fix?.title ?? suggested_action)}</p>
        {fix && <p dir="auto">{visibleText(fix.description)}</p>}
        {fix && hasScope('write') && (
          <p>
            <Link to={addressOf('newPlan', { detection: detection_id, fix: fix.fix_id })}>Plan fix</Link>
          </p>
        )}
      </section>
    </>
  );
}
