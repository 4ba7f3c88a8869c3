import { z } from 'zod';
import type { AuditFilter } from '../../store/audit.store.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, inOrder, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { auditRecord } from './audit.record.ts';

const filterQuery = inOrder(
  pageQuery.extend({
    action: z.string().max(100).optional().describe('Id of an operation, or its noun: `healing`, `healing.execute`'),
    actor: z.string().max(200).optional(),
    object_id: z.string().max(500).optional(),
    date_from: dateQuery.optional().describe('Inclusive'),
    date_to: dateQuery.optional().describe('Exclusive'),
  }),
  'date_from',
  'date_to',
);

export const listAuditOperation = defineOperation({
  id: 'audit.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/audit-log',
  summary: 'Changes with their actors, newest first',
  access: { kind: 'tenant', scope: 'admin' },
  params: tenantParams,
  query: filterQuery,
  output: pageOf(auditRecord),
  status: 200,
  run: (services, input) => services.audit.list(input.tenant_id, toFilter(input), toPageRequest(input)),
});

export const listInstanceAuditOperation = defineOperation({
  id: 'audit.list-instance',
  method: 'GET',
  path: '/audit-log',
  summary: 'Changes of the instance with their actors: created and deleted tenants, newest first',
  access: { kind: 'operator' },
  query: filterQuery,
  output: pageOf(auditRecord),
  status: 200,
  run: (services, input) => services.audit.listInstance(toFilter(input), toPageRequest(input)),
});

function toFilter(query: z.output<typeof filterQuery>): AuditFilter {
  return {
    action: query.action ?? null,
    actor: query.actor ?? null,
    objectId: query.object_id ?? null,
    from: query.date_from ?? null,
    to: query.date_to ?? null,
  };
}

export const auditOperations = [listAuditOperation, listInstanceAuditOperation];
