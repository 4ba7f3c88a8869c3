import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { syncRunBody, toSyncRunRequest } from '../integrations/sync-run-request.ts';
import { discoveredWorkflow } from './discovery.record.ts';
import { N8N } from './n8n.services.ts';
import { syncRecord } from './sync.record.ts';

const instanceId = z.string().max(100).nullable().optional().describe('A registered instance; default: all');
const syncs = z.object({ items: z.array(syncRecord), total: z.number().int() });

export const syncOperation = defineOperation({
  id: 'flowplatform.sync',
  method: 'POST',
  path: '/flowplatform/sync',
  summary: 'Fetches new n8n executions in the background; as history they send no alerts',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  body: z.strictObject({
    instance_id: instanceId,
    ...syncRunBody,
  }),
  output: syncs,
  status: 202,
  errorCodes: ['not_found', 'conflict'],
  run: async (services, input, caller) => {
    const items = await services.platforms.of(N8N).sync.request(tenantOfCaller(caller), {
      instanceId: input.instance_id ?? null,
      ...toSyncRunRequest(input),
    });
    return { items, total: items.length };
  },
});

export const syncStatusOperation = defineOperation({
  id: 'flowplatform.sync-status',
  method: 'GET',
  path: '/flowplatform/sync/status',
  summary: 'Sync state of each registered n8n instance',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  output: syncs,
  status: 200,
  run: async (services, _input, caller) => {
    const items = await services.platforms.of(N8N).sync.status(tenantOfCaller(caller));
    return { items, total: items.length };
  },
});

export const discoverOperation = defineOperation({
  id: 'flowplatform.discover',
  method: 'POST',
  path: '/flowplatform/discover',
  summary: 'Lists n8n workflows with their design problems',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  body: z.strictObject({ instance_id: instanceId }),
  output: z.object({
    items: z.array(discoveredWorkflow),
    total: z.number().int(),
    is_cut: z.boolean().describe('There are more than the first 2,000'),
    problems: z
      .array(z.object({ instance_id: z.string(), message: z.string() }))
      .describe('Instances that could not be reached, with the reason'),
  }),
  status: 200,
  errorCodes: ['not_found', 'conflict'],
  run: async (services, input, caller) => {
    const found = await services.platforms
      .of(N8N)
      .discovery.discover(tenantOfCaller(caller), input.instance_id ?? null);
    return { items: found.items, total: found.items.length, is_cut: found.isCut, problems: found.problems };
  },
});

export const n8nOperations = [syncOperation, syncStatusOperation, discoverOperation];
