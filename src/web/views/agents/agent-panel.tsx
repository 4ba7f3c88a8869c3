import type { AgentDetail } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, duration, tokensText, wasteText } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { STATUS_LABELS } from '../../parts/status-label.ts';
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
  const { agent_id, trace_count, recent, detections, status, step_count, tokens_used, avg_latency_ms } = agent;
  return (
    <>
      <dl class={style.facts}>
        <dt>Traces</dt>
        <dd>
          <Link to={addressOf('traces', { agent: agent_id })}>{count(trace_count)}</Link>
        </dd>
        <dt>Status of traces</dt>
        <dd>{outcomeText(recent)}</dd>
        <dt>Status</dt>
        <dd>{status}</dd>
        <dt>Steps</dt>
        <dd>{count(step_count)}</dd>
        <dt>Tokens</dt>
        <dd>{tokensText(tokens_used)}</dd>
        <dt>Mean time per turn</dt>
        <dd>{avg_latency_ms === null ? '–' : duration(avg_latency_ms * 1_000)}</dd>
        <dt>{recent.frameworks.length === 1 ? 'Framework' : 'Frameworks'}</dt>
        <dd dir="auto">{visibleText(recent.frameworks.join(', ')) || 'none named'}</dd>
        <dt>{recent.models.length === 1 ? 'Model' : 'Models'}</dt>
        <dd dir="auto">{visibleText(recent.models.join(', ')) || 'none named'}</dd>
      </dl>
      <h3>Detections in the last 30 days</h3>
      {detections.length === 0 ? (
        <p>None in the last 30 days.</p>
      ) : (
        <DataTable
          label="Detections of the agent"
          minWidth={360}
          columns={columnsOf(agent_id)}
          rows={detections}
          keyOf={({ detection_type, subtype, severity }) => `${detection_type}/${subtype}/${severity}`}
        />
      )}
    </>
  );
}

/** How the newest traces ended. An agent can fail without an error, so this says nothing about detections. */
function outcomeText({ runs, errors, running }: AgentDetail['recent']): string {
  const amounts = { ok: runs - errors - running, error: errors, running };
  const parts = (['ok', 'error', 'running'] as const).filter((status) => amounts[status] > 0);
  return parts.map((status) => `${count(amounts[status])} ${STATUS_LABELS[status]}`).join(', ');
}

const columnsOf = (agent: string): Column<AgentDetail['detections'][number]>[] => [
  {
    title: 'Kind of failure',
    cell: ({ detection_type: type, subtype, severity }) => (
      <span class={style.kind}>
        <SeverityMark severity={severity} hasLabel />
        <Link to={addressOf('issues', { agent, type })}>{typeLabel(type, subtype)}</Link>
      </span>
    ),
  },
  { title: 'Traces', cell: ({ traces }) => count(traces), isNumber: true },
  {
    title: 'Wasted',
    cell: ({ wasted_tokens, wasted_cost_usd }) => wasteText({ tokens: wasted_tokens, cost: wasted_cost_usd }),
    isNumber: true,
  },
];
