import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { agentRecord } from './agent.record.ts';
import { agentDetailRecord } from './agent-detail.record.ts';

export const listAgentsOperation = defineOperation({
  id: 'agents.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/agents',
  summary: 'Agents seen in traces, with their figures',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: z.array(agentRecord),
  status: 200,
  run: (services, input) => services.agents.list(input.tenant_id),
});

export const getAgentOperation = defineOperation({
  id: 'agents.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/agents/{agent_id}',
  summary: 'One agent with its figures, its newest runs and the detections that it caused',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams.extend({ agent_id: z.string() }),
  query: z.object({
    days: z.coerce.number().int().min(1).max(365).default(30).describe('Days of detections, 1 to 365'),
  }),
  output: agentDetailRecord,
  status: 200,
  run: (services, { tenant_id, agent_id, days }, _caller, callOptions) =>
    services.agents.get(tenant_id, agent_id, days, callOptions),
});

export const agentOperations = [listAgentsOperation, getAgentOperation];
