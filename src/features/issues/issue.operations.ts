import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { ISSUE_STATUSES, issueRecord } from './issue.service.ts';

export const listIssuesOperation = defineOperation({
  id: 'issues.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/issues',
  summary: 'Faults that recur across traces, seen last first',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams,
  query: pageQuery.extend({ status: z.enum(ISSUE_STATUSES).optional() }),
  output: pageOf(issueRecord),
  status: 200,
  run: (services, input) =>
    services.issues.list(input.tenant_id, { status: input.status ?? null }, toPageRequest(input)),
});

export const getIssueOperation = defineOperation({
  id: 'issues.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/issues/{issue_id}',
  summary: 'One recurring fault',
  access: { kind: 'tenant', scope: 'read' },
  params: tenantParams.extend({ issue_id: z.string() }),
  output: issueRecord,
  status: 200,
  run: (services, input) => services.issues.get(input.tenant_id, input.issue_id),
});

export const issueOperations = [listIssuesOperation, getIssueOperation];
