import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
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

const issueParams = tenantParams.extend({ issue_id: z.string() });
const WRITE = { kind: 'tenant', scope: 'write' } as const;

export const muteIssueOperation = defineOperation({
  id: 'issues.mute',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/mute',
  summary: 'Stops alerts about one issue until it is unmuted',
  access: WRITE,
  params: issueParams,
  output: issueRecord,
  status: 200,
  run: (services, input) => services.issues.mute(input.tenant_id, input.issue_id),
});

export const snoozeIssueOperation = defineOperation({
  id: 'issues.snooze',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/snooze',
  summary: 'Stops alerts about one issue for a while',
  access: WRITE,
  params: issueParams,
  body: z.strictObject({ until: dateQuery.describe('RFC 3339, in the future') }),
  output: issueRecord,
  status: 200,
  run: (services, input) => services.issues.snooze(input.tenant_id, input.issue_id, input.until),
});

export const unmuteIssueOperation = defineOperation({
  id: 'issues.unmute',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/unmute',
  summary: 'Ends mute and snooze of one issue',
  access: WRITE,
  params: issueParams,
  output: issueRecord,
  status: 200,
  run: (services, input) => services.issues.unmute(input.tenant_id, input.issue_id),
});

export const issueOperations = [
  listIssuesOperation,
  getIssueOperation,
  muteIssueOperation,
  snoozeIssueOperation,
  unmuteIssueOperation,
];
