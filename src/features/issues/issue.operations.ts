import { z } from 'zod';
import type { Caller } from '../_kit/caller.ts';
import { callerName } from '../_kit/caller-name.ts';
import { defineOperation } from '../_kit/operation.ts';
import { dateQuery, pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { detectionType, severity } from '../_kit/vocabulary.ts';
import { addAuditDetails } from '../audit/audit-details.ts';
import { ISSUE_STATUSES, issueRecord, NEW_ISSUE } from './issue.record.ts';
import { ISSUE_SORTS } from './issue-order.ts';
import type { TriageAction } from './triage.ts';

const issueParams = tenantParams.extend({ issue_id: z.string() });
const READ = { kind: 'tenant', scope: 'read' } as const;
const WRITE = { kind: 'tenant', scope: 'write' } as const;

export const listIssuesOperation = defineOperation({
  id: 'issues.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/issues',
  summary: 'Issues: regressed ones first, then by impact',
  access: READ,
  params: tenantParams,
  query: pageQuery.extend({
    status: z.enum(ISSUE_STATUSES).optional().describe('`ignored` includes the snoozed issues'),
    type: detectionType.optional(),
    subtype: z.string().max(200).optional().describe('Subtype of the detection, such as `exact_repetition`'),
    agent: z.string().max(500).optional().describe('Agent of its detections'),
    service: z.string().max(500).optional().describe('Name of the service of its runs'),
    workflow_id: z.string().max(200).optional().describe('Workflow of its runs'),
    severity: severity.optional(),
    regressed: z.boolean().optional().describe('Open again after it was resolved'),
    new: z.boolean().optional().describe(NEW_ISSUE),
    q: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Words of the title, the failure, its newest explanation, an agent, service, workflow, project, framework or the id',
      ),
    sort: z
      .enum(ISSUE_SORTS)
      .default('impact')
      .describe('The highest or newest first; `runs` and `cost` are those of the last 14 days'),
  }),
  output: pageOf(issueRecord),
  status: 200,
  run: (services, input) =>
    services.issues.list(
      input.tenant_id,
      {
        filter: {
          status: input.status ?? null,
          detectionType: input.type ?? null,
          subtype: input.subtype ?? null,
          agentId: input.agent ?? null,
          service: input.service ?? null,
          workflowId: input.workflow_id ?? null,
          severity: input.severity ?? null,
          isRegressed: input.regressed ?? null,
          isNew: input.new ?? null,
        },
        text: input.q || null,
        sort: input.sort,
      },
      toPageRequest(input),
    ),
});

export const getIssueOperation = defineOperation({
  id: 'issues.get',
  method: 'GET',
  path: '/tenants/{tenant_id}/issues/{issue_id}',
  summary: 'One recurring failure',
  access: READ,
  params: issueParams,
  output: issueRecord,
  status: 200,
  run: (services, input) => services.issues.get(input.tenant_id, input.issue_id),
});

const until = dateQuery.describe('RFC 3339, in the future');
const runs = z
  .number()
  .int()
  .min(1)
  .max(1_000_000)
  .describe('It is reopened after it recurs in this many further runs; 1: when it recurs');
const ignoring = { until: until.nullish(), runs: runs.nullish() };

export const resolveIssueOperation = defineOperation({
  id: 'issues.resolve',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/resolve',
  summary: 'Resolve an issue; if it recurs in a later run, it is reopened as regressed',
  access: WRITE,
  params: issueParams,
  output: issueRecord,
  status: 200,
  run: (services, input, caller) =>
    services.issues.change(input.tenant_id, input.issue_id, { kind: 'resolve' }, nameOf(caller)),
});

export const ignoreIssueOperation = defineOperation({
  id: 'issues.ignore',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/ignore',
  summary:
    'Ignore an issue until a time, until it has recurred in some runs, or until it is reopened; no alerts are sent',
  access: WRITE,
  params: issueParams,
  body: z.strictObject(ignoring),
  output: issueRecord,
  status: 200,
  run: (services, input, caller) =>
    services.issues.change(input.tenant_id, input.issue_id, toAction({ ...input, action: 'ignore' }), nameOf(caller)),
});

export const snoozeIssueOperation = defineOperation({
  id: 'issues.snooze',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/snooze',
  summary: 'Ignore an issue until a time, for 24 hours if none is given',
  access: WRITE,
  params: issueParams,
  body: z.strictObject({ until: until.nullish() }),
  output: issueRecord,
  status: 200,
  run: (services, input, caller) =>
    services.issues.change(input.tenant_id, input.issue_id, toAction({ ...input, action: 'snooze' }), nameOf(caller)),
});

export const reopenIssueOperation = defineOperation({
  id: 'issues.reopen',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/{issue_id}/reopen',
  summary: 'Open an issue that is resolved or ignored',
  access: WRITE,
  params: issueParams,
  output: issueRecord,
  status: 200,
  run: (services, input, caller) =>
    services.issues.change(input.tenant_id, input.issue_id, { kind: 'reopen' }, nameOf(caller)),
});

const MAX_IN_BATCH = 200;

const issueOutcome = z
  .object({
    issue_id: z.string(),
    outcome: z.enum(['done', 'not_found']),
    issue: issueRecord.nullable().describe('Null: there is no such issue'),
  })
  .meta({ id: 'IssueOutcome' });

export const changeIssuesOperation = defineOperation({
  id: 'issues.change-many',
  method: 'POST',
  path: '/tenants/{tenant_id}/issues/batch',
  summary: 'Resolve, ignore, snooze or reopen up to 200 issues; an issue that does not exist affects no other',
  access: WRITE,
  params: tenantParams,
  body: z
    .strictObject({
      issue_ids: z.array(z.string().min(1).max(100)).min(1).max(MAX_IN_BATCH),
      action: z.enum(['resolve', 'ignore', 'snooze', 'reopen']),
      until: until.nullish().describe('For `ignore` and `snooze`'),
      runs: runs.nullish().describe('For `ignore`'),
    })
    .superRefine(({ action, until, runs }, context) => {
      const rejectField = (name: string) =>
        context.addIssue({ code: 'custom', path: [name], message: `is not for the action ${action}` });
      if (until != null && action !== 'ignore' && action !== 'snooze') rejectField('until');
      if (runs != null && action !== 'ignore') rejectField('runs');
    }),
  output: z.object({ items: z.array(issueOutcome).describe('In the order of `issue_ids`') }),
  status: 200,
  async run(services, input, caller) {
    const action = toAction(input);
    const outcomes = await services.issues.changeMany(input.tenant_id, input.issue_ids, action, nameOf(caller));
    addAuditDetails({
      action: `issues.${input.action}`,
      isUnchanged: outcomes.every(({ issue }) => issue === null),
      objectId: outcomes.flatMap(({ issueId, issue }) => (issue === null ? [] : [issueId])).join(' '),
    });
    return {
      items: outcomes.map(({ issueId, issue }) => ({
        issue_id: issueId,
        outcome: issue === null ? ('not_found' as const) : ('done' as const),
        issue,
      })),
    };
  },
});

type Change = { action: TriageAction['kind']; until?: number | null | undefined; runs?: number | null | undefined };

function toAction({ action, until, runs }: Change): TriageAction {
  if (action === 'ignore') return { kind: action, until: until ?? null, runs: runs ?? null };
  return action === 'snooze' ? { kind: action, until: until ?? null } : { kind: action };
}

/** As stored in records. */
function nameOf(caller: Caller): string {
  return callerName(caller) ?? 'token';
}

export const issueOperations = [
  listIssuesOperation,
  getIssueOperation,
  resolveIssueOperation,
  ignoreIssueOperation,
  snoozeIssueOperation,
  reopenIssueOperation,
  changeIssuesOperation,
];
