import type { HealingSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { useOverview } from '../../data/overview.ts';
import { hasScope } from '../../data/session.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FixOutcome } from '../../parts/fix-outcome.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { PageLinks } from '../../parts/page-links.tsx';
import { type PlanStatus, STATUS_LABELS } from '../../parts/plan-status.ts';
import { Prose } from '../../parts/prose.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { didNotHold, planStatusText } from './fix-plans.ts';
import style from './healing.module.css';
import { usePlans, useWaitingPlans } from './healing-queries.ts';
import { BY_HAND } from './plan-actions.ts';
import { nextActionText, planActionLabels, RISK_LABELS, targetLabel } from './plan-labels.ts';

/** All plans. Those that wait for a person come first. */
export function HealingView() {
  const waiting = useWaitingPlans();
  const hasNoIssues = useOverview()?.issues.open === 0;
  const { query = {} } = currentRoute.value ?? {};
  return (
    <div class={style.view}>
      <PageHeading title="Healing" />
      <p class={style.none}>
        Proposed fixes. Nothing changes before a plan is approved. Misstep can roll back what it applied; a change by
        hand is undone by hand.{' '}
        {hasNoIssues ? (
          <>
            There is no open issue to fix. <Link to={addressOf('start')}>Set up a program</Link> to send its traces.
          </>
        ) : (
          <>
            To plan a fix, open an <Link to={addressOf('issues')}>issue</Link> and choose “Plan fix”.
          </>
        )}
      </p>
      <section class={`${style.part} ${style.plans}`} aria-labelledby="waiting">
        <h2 id="waiting">Waiting for you</h2>
        <QueryResult query={waiting} failure="The waiting plans cannot be shown">
          {(plans) =>
            plans.length === 0 ? (
              <p class={style.none}>No plan is waiting for you.</p>
            ) : (
              <DataTable
                label="Plans that wait for an action"
                minWidth={TABLE_WIDTH}
                columns={WAITING_COLUMNS}
                rows={plans}
                keyOf={keyOf}
              />
            )
          }
        </QueryResult>
      </section>
      <History status={parseStatus(query.status)} cursor={query.cursor} />
    </div>
  );
}

interface HistoryProps {
  /** Undefined for all plans that do not wait for a person. */
  status: PlanStatus | undefined;
  cursor: string | undefined;
}

function History({ status, cursor }: HistoryProps) {
  const plans = usePlans(status, cursor);
  const { value } = plans.value;
  // Without a plan there is nothing to filter, and the section above says that none waits.
  if (status === undefined && cursor === undefined && value?.items.length === 0) return null;
  return (
    <section class={`${style.part} ${style.plans}`} aria-labelledby="history">
      <h2 id="history">History</h2>
      <StatusFilter status={status} />
      <QueryResult query={plans} failure="The history cannot be shown">
        {({ items: shown, next_cursor }) => (
          <>
            {shown.length > 0 && (
              <DataTable
                label="Plan history"
                minWidth={TABLE_WIDTH}
                columns={HISTORY_COLUMNS}
                rows={shown}
                keyOf={keyOf}
              />
            )}
            {shown.length === 0 && next_cursor === null && status !== undefined && (
              <p class={style.none}>No plan has the status {STATUS_LABELS[status].toLowerCase()}.</p>
            )}
            <PageLinks
              first={cursor === undefined ? null : addressOf('healing', { status })}
              next={next_cursor === null ? null : addressOf('healing', { status, cursor: next_cursor })}
            />
          </>
        )}
      </QueryResult>
    </section>
  );
}

function StatusFilter({ status }: Pick<HistoryProps, 'status'>) {
  return (
    <nav aria-label="Plans by status" class={style.filters}>
      {([undefined, ...HISTORY_STATUSES] as const).map((option) => (
        <Link
          key={option ?? 'all'}
          to={addressOf('healing', option === undefined ? {} : { status: option })}
          {...(option === status ? { 'aria-current': 'page' as const } : {})}
        >
          {option === undefined ? 'All' : STATUS_LABELS[option]}
        </Link>
      ))}
    </nav>
  );
}

const STATUSES = Object.keys(STATUS_LABELS) as PlanStatus[];
/** Plans with other statuses wait for an action, and are listed above the history. */
const HISTORY_STATUSES = STATUSES.filter(
  (status) => !['pending_approval', 'approved', 'executing', 'unknown'].includes(status),
);

function parseStatus(requested: string | undefined): PlanStatus | undefined {
  return STATUSES.find((status) => status === requested);
}

function keyOf({ operation_id }: HealingSummary): string {
  return operation_id;
}

/** The plan, and the issue that it fixes. */
const PLAN_COLUMN: Column<HealingSummary> = {
  title: 'Plan',
  cell: ({ operation_id, title, issue }) => (
    <>
      <Link to={addressOf('plan', { op: operation_id })}>
        <bdi>
          <Prose text={title} />
        </bdi>
      </Link>
      {issue !== null && (
        <span class={style.issue}>
          <SeverityMark severity={issue.severity} hasLabel />
          <Link to={addressOf('issue', { id: issue.issue_id })}>
            <bdi>
              <Prose text={issue.title} />
            </bdi>
          </Link>
        </span>
      )}
    </>
  ),
};
const RISK_COLUMN: Column<HealingSummary> = { title: 'Risk', cell: ({ risk }) => RISK_LABELS[risk] };
const TARGET_COLUMN: Column<HealingSummary> = {
  title: 'What changes',
  cell: (plan) => <bdi class={style.target}>{visibleText(targetLabel(plan))}</bdi>,
};

/** The status of a plan, and whether it holds. */
function PlanState({ plan }: { plan: HealingSummary }) {
  const { fix_outcome } = plan;
  return (
    <span>
      {planStatusText(plan)}
      {fix_outcome !== null && (
        <>
          <br />
          <FixOutcome outcome={fix_outcome} />
        </>
      )}
    </span>
  );
}

function NextActions({ plan }: { plan: HealingSummary }) {
  const own = addressOf('plan', { op: plan.operation_id });
  if (!didNotHold(plan)) return <ButtonLink to={own}>{nextActionText(plan)}</ButtonLink>;
  return (
    <span class={style.actions}>
      <Link to={own}>{planActionLabels('rollback', plan.executor === BY_HAND).label}…</Link>
      <ButtonLink to={addressOf('newPlan', { detection: plan.detection_id })}>Plan another fix</ButtonLink>
    </span>
  );
}

/** The status of a plan and its next action are on one line. */
const TABLE_WIDTH = 840;

const WAITING_COLUMNS: Column<HealingSummary>[] = [
  PLAN_COLUMN,
  {
    title: 'Status',
    isWide: true,
    cell: (plan) => (
      <span class={style.status}>
        <PlanState plan={plan} />
        {hasScope('write') && <NextActions plan={plan} />}
      </span>
    ),
  },
  RISK_COLUMN,
  TARGET_COLUMN,
  { title: `Planned (${ZONE})`, cell: ({ created_at }) => timeText(created_at), isNumber: true },
];

const HISTORY_COLUMNS: Column<HealingSummary>[] = [
  PLAN_COLUMN,
  {
    title: 'Status',
    isWide: true,
    cell: (plan) => <PlanState plan={plan} />,
  },
  RISK_COLUMN,
  TARGET_COLUMN,
  { title: `Last change (${ZONE})`, cell: ({ updated_at }) => timeText(updated_at), isNumber: true },
];
