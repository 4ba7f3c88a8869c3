import { useSignal } from '@preact/signals';
import type { Agent } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { useOverview } from '../../data/overview.ts';
import { refetchAll, useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { count, duration, NOT_MEASURED, pluralize, shortCount } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNotice, ErrorNotice, LoadingPlaceholder } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { AgentPanel } from './agent-panel.tsx';
import style from './agents-view.module.css';

/** The agents found in traces, with the details of the selected one. */
export function AgentsView() {
  const tenant_id = tenantId.value;
  const agents = useQuery(tenant_id === null ? null : `agents/${tenant_id}`, (signal) =>
    server.agents.list({ tenant_id: tenant_id! }, { signal }),
  );
  const isSlow = useIsSlow(agents);
  const { value, error } = agents.value;
  const selectedId = currentRoute.value?.query.agent;
  const search = useSignal('');
  const matching = (value ?? [])
    .filter(({ agent_id }) => agent_id.toLowerCase().includes(search.value.toLowerCase()))
    .sort((a, b) => b.open_issues - a.open_issues);
  return (
    <div class={style.view}>
      <PageHeading title="Agents">
        {value && value.length > MAX_ROWS && (
          <input
            type="search"
            aria-label="Find an agent"
            placeholder="Find an agent"
            class={style.find}
            value={search.value}
            onInput={({ currentTarget }) => set(search, currentTarget.value)}
          />
        )}
      </PageHeading>
      <p class={style.note}>
        Agents named in your traces: those with open issues first, then the last active ones. The counts cover all
        stored traces. An agent is active for 5 minutes after its last step, idle for 24 hours, then inactive.{' '}
        {value && <OtherIssues agents={value} />}
      </p>
      {error !== undefined && !value && (
        <ErrorNotice title="The agents cannot be shown" error={error} retry={refetchAll} />
      )}
      {isSlow && <LoadingPlaceholder />}
      {value?.length === 0 && (
        <EmptyNotice title="No agent has been seen">
          <p>
            Agents appear here when an analyzed trace names them. <Link to={addressOf('start')}>Set up a program</Link>{' '}
            to send its traces.
          </p>
        </EmptyNotice>
      )}
      {value && value.length > 0 && (
        <div class={style.columns}>
          <DataTable
            label="Agents"
            columns={selectedId === undefined ? COLUMNS : COLUMNS_BESIDE_PANEL}
            rows={matching.slice(0, MAX_ROWS)}
            keyOf={({ agent_id }) => agent_id}
            {...(selectedId === undefined ? {} : { minWidth: 400 })}
            isCurrent={({ agent_id }) => agent_id === selectedId}
          />
          {selectedId !== undefined && <AgentPanel key={selectedId} agentId={selectedId} />}
        </div>
      )}
      {matching.length > MAX_ROWS && (
        <p>
          The first {count(MAX_ROWS)} of {count(matching.length)} agents. Search finds the others.
        </p>
      )}
    </div>
  );
}

/** Why the sum of the column differs from the number of open issues beside the navigation. */
function OtherIssues({ agents }: { agents: readonly Agent[] }) {
  const overview = useOverview();
  const ofAgents = agents.reduce((sum, { open_issues }) => sum + open_issues, 0);
  const others = overview === undefined ? 0 : overview.issues.open - ofAgents;
  if (others <= 0) return null;
  return (
    <>
      {pluralize(others, 'open issue')} {others === 1 ? 'belongs' : 'belong'} to no agent of this list, but for example
      to a workflow node: see <Link to={addressOf('issues')}>Issues</Link>.
    </>
  );
}

/** Limits the size of the page. */
const MAX_ROWS = 100;

const NAME: Column<Agent> = {
  title: 'Agent',
  cell: ({ agent_id }) => (
    <Link to={addressOf('agents', { agent: agent_id })}>
      <bdi>{visibleText(agent_id)}</bdi>
    </Link>
  ),
};
const OPEN_ISSUES: Column<Agent> = {
  title: 'Open issues',
  cell: ({ agent_id, open_issues }) =>
    open_issues === 0 ? (
      <span class={style.none}>0</span>
    ) : (
      <Link to={addressOf('issues', { agent: agent_id })}>
        {count(open_issues)} <span class="visually-hidden">{`open issues of ${visibleText(agent_id)}`}</span>
      </Link>
    ),
  isNumber: true,
};
const LAST_ACTIVE: Column<Agent> = {
  title: `Last active (${ZONE})`,
  cell: ({ last_active_at }) => timeText(last_active_at),
  isNumber: true,
};

const COLUMNS: Column<Agent>[] = [
  NAME,
  {
    title: 'Status',
    cell: ({ status }) => (status === 'active' ? status : <span class={style.none}>{status}</span>),
  },
  OPEN_ISSUES,
  { title: 'Steps', cell: ({ step_count }) => count(step_count), isNumber: true },
  {
    title: 'Tokens',
    // No model call without tokens exists: zero means that none were recorded.
    cell: ({ tokens_used }) =>
      tokens_used === 0 ? <span class={style.none}>{NOT_MEASURED}</span> : shortCount(tokens_used),
    isNumber: true,
  },
  {
    title: 'Mean time per turn',
    cell: ({ avg_latency_ms }) =>
      avg_latency_ms === null ? <span class={style.none}>–</span> : duration(avg_latency_ms * 1_000),
    isNumber: true,
  },
  LAST_ACTIVE,
];

/** The panel shows the other figures of the selected agent. */
const COLUMNS_BESIDE_PANEL: Column<Agent>[] = [NAME, OPEN_ISSUES, LAST_ACTIVE];
