import type { AgentDetail } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, dollars, pluralize, shortCount } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { typeLabel } from '../../parts/type-label.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './agents-view.module.css';

/** One agent: its newest runs and its detections. */
export function AgentPanel({ agentId }: { agentId: string }) {
  const tenant_id = tenantId.value;
  const agent = useQuery(tenant_id === null ? null : `agents/${tenant_id}/${agentId}`, (signal) =>
    server.agents.get({ tenant_id: tenant_id!, agent_id: agentId }, { signal }),
  );
  return (
    <section aria-label={`Agent ${agentId}`} class={style.panel}>
      <div class={style.head}>
        <h2 dir="auto">{visibleText(agentId)}</h2>
        <Link to={addressOf('agents')}>Close</Link>
      </div>
      <QueryResult query={agent} failure="The agent cannot be shown">
        {(value) => <Detail agent={value} />}
      </QueryResult>
    </section>
  );
}

function Detail({ agent }: { agent: AgentDetail }) {
  const { agent_id, trace_count, recent, detections } = agent;
  return (
    <>
      <dl class={style.facts}>
        <dt>Traces</dt>
        <dd>
          <Link to={addressOf('traces', { agent: agent_id })}>{pluralize(trace_count, 'trace')}</Link>
        </dd>
        <dt>Newest runs</dt>
        <dd>
          {count(recent.errors)} of {count(recent.runs)} ended with an error, {count(recent.running)} running
        </dd>
        <dt>Frameworks</dt>
        <dd dir="auto">{visibleText(recent.frameworks.join(', ')) || 'none named'}</dd>
        <dt>Models</dt>
        <dd dir="auto">{visibleText(recent.models.join(', ')) || 'none named'}</dd>
      </dl>
      <h3>Detections in the last 30 days</h3>
      {detections.length === 0 ? (
        <p>None in the last 30 days.</p>
      ) : (
        <DataTable
          label="Detections of the agent"
          columns={columnsOf(agent_id)}
          rows={detections}
          keyOf={({ detection_type, subtype, severity }) => `${detection_type}/${subtype}/${severity}`}
        />
      )}
    </>
  );
}

const columnsOf = (agent: string): Column<AgentDetail['detections'][number]>[] => [
  {
    title: 'Detection',
    cell: ({ detection_type: type, subtype }) => (
      <Link to={addressOf('issues', { agent, type })}>{typeLabel(type, subtype)}</Link>
    ),
  },
  { title: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} hasLabel /> },
  { title: 'Runs', cell: ({ traces }) => count(traces), isNumber: true },
  {
    title: 'Wasted',
    cell: ({ wasted_tokens, wasted_cost_usd }) =>
      wasted_tokens === 0 ? 'unknown' : `${shortCount(wasted_tokens)} tok · ${dollars(wasted_cost_usd)}`,
    isNumber: true,
  },
];
