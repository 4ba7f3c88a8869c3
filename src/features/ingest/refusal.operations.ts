import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { defineOperation } from '../_kit/operation.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import type { RecentRefusal } from './refusal-log.ts';

const refusalRecord = z
  .object({
    path: z.string(),
    status: z.number().int().describe('200: part of the request was rejected'),
    detail: z.string().describe('The reason that the sender received'),
    sender: z.string().nullable().describe('`User-Agent` of the sender'),
    count: z.number().int().describe('Number of times since the server started'),
    last_at: z.iso.datetime(),
    has_credential: z.boolean().describe('False: the key was missing or invalid'),
  })
  .meta({ id: 'IngestRefusal' });

export const listRefusalsOperation = defineOperation({
  id: 'ingest.refusals',
  method: 'GET',
  path: '/tenants/{tenant_id}/ingest/refusals',
  summary:
    'Rejected requests and records since the server started, with reasons; requests without a valid key are shown to the operator and to the only tenant of an instance',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  output: z.object({ items: z.array(refusalRecord).describe('At most 40, newest first') }),
  status: 200,
  async run(services, { tenant_id }, caller) {
    const { refusals, tenants } = services;
    const seesUnknown = caller.isOperator || (await tenants.list({ page: 1, pageSize: 1, cursor: null })).total === 1;
    const found = [...refusals.recent(tenant_id), ...(seesUnknown ? refusals.recent(null) : [])];
    return { items: found.sort((one, other) => other.lastAt - one.lastAt).map(toRecord) };
  },
});

function toRecord({ tenantId, lastAt, path, status, detail, sender, count }: RecentRefusal) {
  return { path, status, detail, sender, count, last_at: toRfc3339(lastAt), has_credential: tenantId !== null };
}
