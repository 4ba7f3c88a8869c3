import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { agentRecord } from './agent.service.ts';

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

export const agentOperations = [listAgentsOperation];
