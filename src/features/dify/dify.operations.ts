import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { tenantOfCaller } from '../_kit/tenant-of-caller.ts';
import { syncRunBody, toSyncRunRequest } from '../integrations/sync-run-request.ts';
import { appSyncRecord } from './app-sync.record.ts';
import { DIFY } from './dify.services.ts';

const syncs = z.object({ items: z.array(appSyncRecord), total: z.number().int() });

export const appSyncOperation = defineOperation({
  id: 'llmapps.sync',
  method: 'POST',
  path: '/llmapps/sync',
  summary:
    'Fetches summaries of new Dify runs in the background; they contain no nodes, and as history they send no alerts',
  access: { kind: 'tenant', scope: 'write' },
  isOfCallersTenant: true,
  body: z.strictObject({
    app_id: z.string().max(100).nullable().optional().describe('A registered app; default: all that have a key'),
    ...syncRunBody,
  }),
  output: syncs,
  status: 202,
  errorCodes: ['not_found', 'conflict'],
  run: async (services, input, caller) => {
    const items = await services.platforms.of(DIFY).sync.request(tenantOfCaller(caller), {
      appId: input.app_id ?? null,
      ...toSyncRunRequest(input),
    });
    return { items, total: items.length };
  },
});

export const appSyncStatusOperation = defineOperation({
  id: 'llmapps.sync-status',
  method: 'GET',
  path: '/llmapps/sync/status',
  summary: 'Sync state of each registered Dify app',
  access: { kind: 'tenant', scope: 'read' },
  isOfCallersTenant: true,
  output: syncs,
  status: 200,
  run: async (services, _input, caller) => {
    const items = await services.platforms.of(DIFY).sync.status(tenantOfCaller(caller));
    return { items, total: items.length };
  },
});

export const difyOperations = [appSyncOperation, appSyncStatusOperation];
