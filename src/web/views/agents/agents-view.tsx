import type { Agent } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, place } from '../../address/router.ts';
import { retryShown, useIsSlow, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, duration, shortCount } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNotice, ErrorNotice, Waiting } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { AgentPanel } from './agent-panel.tsx';
import style from './agents-view.module.css';

/** The agents seen in traces; the chosen one beside them. */
export function AgentsView() {
  const tenant_id = tenantId.value;
  const agents = useQuery(tenant_id === null ? null : `agents/${tenant_id}`, (signal) =>
    server.agents.list({ tenant_id: tenant_id! }, { signal }),
  );
  const isSlow = useIsSlow(agents);
  const { value, error } = agents.value;
  const chosen = place.value?.query.agent;
  return (
    <div class={style.view}>
      <PageHeading title="Agents" />
      {error !== undefined && !value && (
        <ErrorNotice what="The agents cannot be shown" error={error} retry={retryShown} />
      )}
      {isSlow && <Waiting />}
      {value?.length === 0 && (
        <EmptyNotice title="No agent has been seen">
          <p>
            Agents appear here when an analysed trace names them. <Link to={addressOf('start')}>Set up a program</Link>{' '}
            to send its traces.
          </p>
        </EmptyNotice>
      )}
      {value && value.length > 0 && (
        <div class={style.columns}>
          <DataTable
            label="Agents"
            columns={COLUMNS}
            rows={value.slice(0, MOST_ROWS)}
            keyOf={({ agent_id }) => agent_id}
            isCurrent={({ agent_id }) => agent_id === chosen}
          />
          {chosen !== undefined && <AgentPanel key={chosen} agentId={chosen} />}
        </div>
      )}
      {value && value.length > MOST_ROWS && (
        <p>
          The {count(MOST_ROWS)} agents seen last, of {count(value.length)}.
        </p>
      )}
    </div>
  );
}

/** The page shows no more rows than it can hold; agents seen last come first. */
const MOST_ROWS = 150;

const COLUMNS: Column<Agent>[] = [
  {
    title: 'Agent',
    cell: ({ agent_id }) => (
      <Link to={addressOf('agents', { agent: agent_id })}>
        <bdi>{visibleText(agent_id)}</bdi>
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => status },
  { title: 'Steps', cell: ({ step_count }) => count(step_count), isNumber: true },
  { title: 'Tokens', cell: ({ tokens_used }) => shortCount(tokens_used), isNumber: true },
  {
    title: 'Mean latency',
    cell: ({ avg_latency_ms }) => (avg_latency_ms === null ? 'unknown' : duration(avg_latency_ms * 1_000)),
    isNumber: true,
  },
  { title: `Last active (${ZONE})`, cell: ({ last_active_at }) => timeText(last_active_at), isNumber: true },
];
