import { listAgentsOperation } from '../../features/agents/agent.operations.ts';
import type { AgentRecord } from '../../features/agents/agent.service.ts';
import type { CommandContext } from '../context.ts';
import { count, duration } from '../views/amounts.ts';
import { type Column, table } from '../views/table.ts';

export async function listAgents({ backend, options, print, style }: CommandContext): Promise<void> {
  const store = await backend();
  const agents = await store.call(listAgentsOperation, { tenant_id: await store.tenantId() });
  if (options.isJson) return print.json(agents);
  if (agents.length === 0) return print.note('No agents found.');
  print.data(table(agents, COLUMNS, style));
}

const COLUMNS: Column<AgentRecord>[] = [
  { title: 'agent', text: (agent) => agent.agent_id, limit: 40 },
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
