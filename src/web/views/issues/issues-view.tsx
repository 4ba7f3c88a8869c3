import { useLayoutEffect } from 'preact/hooks';
import type { Issue, IssuesListInput } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { useOverview } from '../../data/overview.ts';
import { refetchAll, useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope, tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyNotice, ErrorNotice, LoadingPlaceholder } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { PageLinks } from '../../parts/page-links.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { ActionBar } from './action-bar.tsx';
import { expectedStatuses } from './issue-actions.ts';
import { IssueDetail } from './issue-detail.tsx';
import { IssueFilters } from './issue-filters.tsx';
import { FILTERS, type IssuesQuery, listFilterOf } from './issue-query.ts';
import { IssueRow } from './issue-row.tsx';
import { type TabId, tabOf } from './issue-tabs.ts';
import style from './issues.module.css';
import { changeAndSelectNext, checked, select, selectedId, shownIds, toggleChecked } from './selection.ts';
import { useIssue } from './use-issue.ts';

const PAGE_SIZE = 40;
/** The home page: open issues by impact, with their actions. */
export function IssuesView() {
  const { query = {} as IssuesQuery, params = {} } = currentRoute.value ?? {};
  const tab = tabOf(query.status);
  const tenant = tenantId.value;
  const input: IssuesListInput = {
    tenant_id: tenant ?? '',
    page_size: PAGE_SIZE,
    ...(query.cursor ? { cursor: query.cursor } : {}),
    ...tab.filter,
    ...listFilterOf(query),
  };
  const list = useQuery(tenant === null ? null : `issues/list/${JSON.stringify(input)}`, (signal) =>
    server.issues.list(input, { signal }),
  );
  const isSlow = useIsSlow(list);
  const { value, error } = list.value;
  const issues = (value?.items ?? []).filter((issue) => belongsToTab(issue, tab.id));
  const requestedId = params.id ?? null;
  const shownId = requestedId ?? issues[0]?.issue_id ?? null;
  const requestedIssue = useIssue(requestedId);
  const current =
    issues.find(({ issue_id }) => issue_id === shownId) ??
    (requestedId === null ? undefined : requestedIssue.value.value);
  useLayoutEffect(() => {
    shownIds.value = issues.map(({ issue_id }) => issue_id);
    selectedId.value = shownId;
  });
  useIssueKeys(issues, current);
  const checkedIssues = issues.filter(({ issue_id }) => checked.value.has(issue_id));
  const now = Date.now();

  return (
    <div class={style.view} data-detail={requestedId !== null}>
      <section class={style.list}>
        <div class={style.head}>
          <PageHeading title="Issues">
            <span class={style.count}>{value ? pluralize(value.total, 'issue') : ''}</span>
          </PageHeading>
          <IssueFilters active={tab.id} query={query} issues={issues} />
          {checkedIssues.length > 0 && (
            <div class={style.batch}>
              <span>{pluralize(checkedIssues.length, 'issue')} selected</span>
              <ActionBar issues={checkedIssues} />
              <Button variant="plain" onClick={() => set(checked, new Set())}>
                Clear
              </Button>
            </div>
          )}
        </div>
        {error !== undefined && (
          <ErrorNotice hasMargin title="The issues cannot be shown" error={error} retry={refetchAll} />
        )}
        {isSlow && <LoadingPlaceholder />}
        {value && issues.length === 0 && (
          <NoIssues tab={tab.id} isFiltered={Boolean(query.q) || FILTERS.some(({ name }) => query[name])} />
        )}
        <ul aria-label={`${tab.label} issues`}>
          {issues.map((issue) => (
            <IssueRow
              key={issue.issue_id}
              issue={issue}
              to={addressOf('issue', { id: issue.issue_id }, query)}
              isSelected={issue.issue_id === shownId}
              check={
                hasScope('write')
                  ? { isChecked: checked.value.has(issue.issue_id), toggle: () => toggleChecked(issue.issue_id) }
                  : undefined
              }
              now={now}
            />
          ))}
        </ul>
        {value && (
          <div class={style.more}>
            <PageLinks
              first={query.cursor ? addressOf('issues', { ...query, cursor: '' }) : null}
              next={value.next_cursor === null ? null : addressOf('issues', { ...query, cursor: value.next_cursor })}
            />
          </div>
        )}
      </section>
      {current && (
        <aside class={style.side} aria-label="Issue">
          <Link to={addressOf('issues', query)} class={style.back}>
            ‹ All issues
          </Link>
          <IssueDetail key={current.issue_id} issue={current} now={now} />
        </aside>
      )}
      {requestedId !== null && !current && requestedIssue.value.error !== undefined && (
        <aside class={style.side}>
          <Link to={addressOf('issues', query)} class={style.back}>
            ‹ All issues
          </Link>
          <ErrorNotice
            hasMargin
            title="The issue cannot be shown"
            error={requestedIssue.value.error}
            retry={refetchAll}
          />
        </aside>
      )}
    </div>
  );
}

/** Whether an issue still belongs to the tab after the pending change. */
function belongsToTab({ issue_id }: Issue, tab: TabId): boolean {
  const status = expectedStatuses.value.get(issue_id);
  if (status === undefined) return true;
  if (status === 'open') return tab !== 'resolved' && tab !== 'ignored';
  return status === 'snoozed' ? tab === 'ignored' : status === tab;
}

function useIssueKeys(issues: readonly Issue[], current: Issue | undefined): void {
  const ids = issues.map(({ issue_id }) => issue_id);
  const currentIndex = ids.indexOf(current?.issue_id ?? '');
  const checkedIssues = issues.filter(({ issue_id }) => checked.value.has(issue_id));
  const targets = checkedIssues.length > 0 ? checkedIssues : current ? [current] : [];
  const move = (step: number) => () => {
    const next = ids[Math.min(Math.max(currentIndex + step, 0), ids.length - 1)];
    if (next === undefined) return;
    select(next);
    document.querySelector(`[data-issue="${CSS.escape(next)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const navigationShortcuts = [
    { keys: 'j', label: 'Next issue', run: move(1) },
    { keys: 'k', label: 'Previous issue', run: move(-1) },
    { keys: 'Escape', label: 'Back to the list', run: () => select(null) },
  ];
  const actionShortcuts = [
    { keys: 'x', label: 'Select the issue', run: () => current && toggleChecked(current.issue_id) },
    { keys: 'e', label: 'Resolve', run: () => void changeAndSelectNext(targets, { action: 'resolve' }) },
    {
      keys: 'i',
      label: 'Ignore until I reopen it',
      run: () => void changeAndSelectNext(targets, { action: 'ignore' }),
    },
    { keys: 'z', label: 'Snooze for a day', run: () => void changeAndSelectNext(targets, { action: 'snooze' }) },
  ];
  useShortcuts(hasScope('write') ? [...navigationShortcuts, ...actionShortcuts] : navigationShortcuts);
}

const EMPTY_TEXTS: Record<TabId, [string, string]> = {
  open: ['No open issue', 'No failure was detected in the analyzed runs, or every issue is resolved or ignored.'],
  new: ['No new issue', 'An issue is new for 24 hours, until its status is set or a fix is planned.'],
  regressed: ['Nothing regressed', 'No resolved issue has recurred.'],
  resolved: ['No resolved issue', 'Resolve an issue once its fix is in place. It is reopened if it recurs.'],
  ignored: ['No ignored issue', 'An ignored or snoozed issue sends no alert.'],
};

function NoIssues({ tab, isFiltered }: { tab: TabId; isFiltered: boolean }) {
  const overview = useOverview();
  if (overview?.traces.has_any === false)
    return (
      <EmptyNotice hasMargin title="No trace has arrived">
        <p>
          Failures that recur are listed here once runs are analyzed.{' '}
          <Link to={addressOf('start')}>Set up a program</Link> to send its traces.
        </p>
      </EmptyNotice>
    );
  const [title, text] = isFiltered
    ? [
        'No issue matches',
        'Search looks at the title, the failure, agents, services, workflows and the newest explanation.',
      ]
    : EMPTY_TEXTS[tab];
  return (
    <EmptyNotice hasMargin title={title}>
      <p>{text}</p>
    </EmptyNotice>
  );
}
