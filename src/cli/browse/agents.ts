import { getAgentOperation, listAgentsOperation } from '../../features/agents/agent.operations.ts';
import type { AgentRecord } from '../../features/agents/agent.record.ts';
import type { AgentDetailRecord } from '../../features/agents/agent-detail.record.ts';
import type { CommandContext } from '../context.ts';
import { count, dollars, duration } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import { type Column, table } from '../views/table.ts';

export async function listAgents({ backend, options, print, style }: CommandContext): Promise<void> {
  const store = await backend();
  const agents = await store.call(listAgentsOperation, { tenant_id: await store.tenantId() });
  if (options.isJson) return print.json(agents);
  if (agents.length === 0) return print.note('No agents found.');
  print.data(table(agents, COLUMNS, style));
}

export async function showAgent(context: CommandContext, agentId: string, days: number): Promise<void> {
  const { backend, options, print, style } = context;
  const store = await backend();
  const agent = await store.call(getAgentOperation, { tenant_id: await store.tenantId(), agent_id: agentId, days });
  if (options.isJson) return print.json(agent);
  const { recent } = agent;
  print.data(
    facts(
      [
        ['agent', agent.agent_id],
        ['status', `${agent.status}, last active ${agent.last_active_at}`],
        ['traces', count(agent.trace_count)],
        ['newest runs', `${count(recent.runs)}: ${count(recent.errors)} failed, ${count(recent.running)} running`],
        ['frameworks', recent.frameworks.join(', ') || '–'],
        ['models', recent.models.join(', ') || '–'],
      ],
      style,
    ),
  );
  if (agent.detections.length > 0) print.data(`\n${table(agent.detections, DETECTION_COLUMNS, style)}`);
}

const DETECTION_COLUMNS: Column<AgentDetailRecord['detections'][number]>[] = [
  { title: 'detection', text: ({ detection_type, subtype }) => `${detection_type}/${subtype}`, limit: 60 },
  { title: 'severity', text: ({ severity }) => severity },
  { title: 'count', text: (kind) => count(kind.count), align: 'right' },
  { title: 'traces', text: ({ traces }) => count(traces), align: 'right' },
  { title: 'wasted', text: ({ wasted_cost_usd }) => dollars(wasted_cost_usd), align: 'right' },
];

const COLUMNS: Column<AgentRecord>[] = [
  { title: 'agent', text: (agent) => agent.agent_id, limit: 40 },
  { title: 'open issues', text: (agent) => count(agent.open_issues), align: 'right' },
  { title: 'steps', text: (agent) => count(agent.step_count), align: 'right' },
  { title: 'tokens', text: (agent) => count(agent.tokens_used), align: 'right' },
  {
    title: 'latency',
    text: ({ avg_latency_ms }) => (avg_latency_ms === null ? '–' : duration(avg_latency_ms)),
    align: 'right',
  },
  { title: 'status', text: (agent) => agent.status },
  { title: 'last active', text: (agent) => agent.last_active_at },
];
