import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { overviewRecord } from './overview.record.ts';

export const overviewOperation = defineOperation({
  id: 'overview.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/overview',
  summary: 'How many traces, issues, detections, healing operations, imports and alerts need attention',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: z.object({ since: dateQuery.optional().describe('Last visit; default: a day ago') }),
  output: overviewRecord,
  status: 200,
  run: (services, { tenant_id, since }, _caller, callOptions) =>
    services.overview.get(tenant_id, since ?? null, callOptions),
});

export const overviewOperations = [overviewOperation];
