import { useRef } from 'preact/hooks';
import type { Workflow } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute, navigate } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { costText, count, pluralize, tokensText } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { PageLinks } from '../../parts/page-links.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { useShortcuts } from '../../shell/shortcuts.ts';
import style from './workflows-view.module.css';
import { worstFirst } from './worst-first.ts';

/** Workflows found in traces: runs with the same framework, service and name, or sessions in the same project. */
export function WorkflowsView() {
  const tenant_id = tenantId.value;
  const { q, cursor } = currentRoute.value?.query ?? {};
  const key = tenant_id === null ? null : `workflows/${tenant_id}/${q ?? ''}/${cursor ?? ''}`;
  const page = useQuery(key, (signal) =>
    server.workflows.list(
      { tenant_id: tenant_id!, ...(q === undefined ? {} : { q }), ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    ),
  );
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: 'Search workflows', run: () => search.current?.focus() }]);
  return (
    <div class={style.view}>
      <PageHeading title="Workflows" />
      <search>
        <SearchField
          class={style.find}
          inputRef={search}
          label="Search name or service"
          placeholder="Name or service"
          shortcut="/"
          value={q ?? ''}
          onSearch={(text) => navigate(addressOf('workflows', text === '' ? {} : { q: text }), { replace: true })}
        />
      </search>
      <QueryResult query={page} failure="The workflows cannot be shown">
        {({ items, total, next_cursor }) => {
          // The server sorts by the newest run, so pages of many workflows keep that order.
          const isWhole = items.length === total;
          if (items.length === 0 && q !== undefined)
            return <EmptyNotice title={`No workflow has “${visibleText(q)}” in its name or service`} />;
          return items.length === 0 ? (
            <EmptyNotice title="No workflow has been seen">
              <p>
                A workflow appears here when the first of its runs is analyzed.{' '}
                <Link to={addressOf('start')}>Set up a program</Link> to send its traces.
              </p>
            </EmptyNotice>
          ) : (
            <>
              <p class={style.note}>
                A workflow is the runs with the same framework, service and name. The sessions of a coding agent in one
                project are one workflow. {pluralize(total, 'workflow')},{' '}
                {isWhole ? 'the lowest mean score' : 'last run'} first. An open issue counts for the workflow of its
                newest run.
              </p>
              <DataTable
                label="Workflows"
                columns={COLUMNS}
                rows={isWhole ? worstFirst(items) : items}
                keyOf={({ workflow_id }) => workflow_id}
              />
              <PageLinks
                first={cursor === undefined ? null : addressOf('workflows', q === undefined ? {} : { q })}
                next={
                  next_cursor === null
                    ? null
                    : addressOf('workflows', { ...(q === undefined ? {} : { q }), cursor: next_cursor })
                }
              />
            </>
          );
        }}
      </QueryResult>
    </div>
  );
}

const COLUMNS: Column<Workflow>[] = [
  {
    title: 'Workflow',
    cell: ({ workflow_id, name }) => (
      <Link to={addressOf('traces', { workflow: workflow_id })}>
        <bdi>{visibleText(name)}</bdi>
      </Link>
    ),
  },
  { title: 'Framework', cell: ({ source }) => <bdi>{visibleText(source)}</bdi> },
  { title: 'Service', cell: ({ service_name }) => <bdi>{visibleText(service_name ?? 'none named')}</bdi> },
  {
    title: 'Open issues',
    cell: ({ workflow_id, name, open_issues }) =>
      open_issues === 0 ? (
        '0'
      ) : (
        <Link to={addressOf('issues', { workflow: workflow_id })}>
          {count(open_issues)} <span class="visually-hidden">{`open issues of ${visibleText(name)}`}</span>
        </Link>
      ),
    isNumber: true,
  },
  { title: 'Runs', cell: ({ trace_count }) => count(trace_count), isNumber: true },
  { title: 'Mean steps', cell: ({ complexity }) => String(Math.round(complexity * 10) / 10), isNumber: true },
  {
    title: 'Mean score',
    cell: ({ average_score, grade }) =>
      average_score === null ? 'not scored' : `${grade} ${Math.round(average_score)}`,
    isNumber: true,
  },
  { title: 'Tokens', cell: ({ total_tokens }) => tokensText(total_tokens), isNumber: true },
  { title: 'Cost', cell: ({ cost_usd }) => costText(cost_usd || null), isNumber: true },
  { title: `Newest run (${ZONE})`, cell: ({ last_seen_at }) => timeText(last_seen_at), isNumber: true },
];
