import { z } from 'zod';
import { defineOperation } from '../_kit/operation.ts';
import { pageOf, pageQuery, toPageRequest } from '../_kit/page.ts';
import { tenantParams } from '../_kit/tenant-params.ts';
import { groupRules } from './group-rules.ts';
import { workflowGroupRecord, workflowRecord } from './workflow-group.record.ts';

const PATH = '/tenants/{tenant_id}/workflow-groups';
const READ = { kind: 'tenant', scope: 'read' } as const;
const WRITE = { kind: 'tenant', scope: 'write' } as const;
const groupParams = tenantParams.extend({ group_id: z.string() });
const name = z.string().trim().min(1).max(200);
const description = z.string().max(2_000).nullable();
const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1f77b4')
  .meta({ examples: ['#1f77b4'] })
  .nullable();

export const createWorkflowGroupOperation = defineOperation({
  id: 'workflow-groups.create',
  method: 'POST',
  path: PATH,
  summary: 'Creates a group of workflows; its rules decide which workflows auto-detection assigns to it',
  access: WRITE,
  params: tenantParams,
  body: z.strictObject({
    name,
    description: description.default(null),
    color: color.default(null),
    rules: groupRules.nullable().default(null),
  }),
  output: workflowGroupRecord,
  status: 201,
  run: (services, { tenant_id, name: newName, description: text, color: shade, rules }) =>
    services.workflowGroups.create(tenant_id, { name: newName, description: text, color: shade, rules }),
});

export const listWorkflowGroupsOperation = defineOperation({
  id: 'workflow-groups.list',
  method: 'GET',
  path: PATH,
  summary: 'Groups of workflows with their figures, newest first',
  access: READ,
  params: tenantParams,
  query: pageQuery,
  output: pageOf(workflowGroupRecord),
  status: 200,
  run: (services, input) => services.workflowGroups.list(input.tenant_id, toPageRequest(input)),
});

export const getWorkflowGroupOperation = defineOperation({
  id: 'workflow-groups.get',
  method: 'GET',
  path: `${PATH}/{group_id}`,
  summary: 'One group of workflows',
  access: READ,
  params: groupParams,
  output: workflowGroupRecord,
  status: 200,
  run: (services, input) => services.workflowGroups.get(input.tenant_id, input.group_id),
});

export const updateWorkflowGroupOperation = defineOperation({
  id: 'workflow-groups.update',
  method: 'PUT',
  path: `${PATH}/{group_id}`,
  summary: 'Changes the given fields of a group; null clears a field, others are kept',
  access: WRITE,
  params: groupParams,
  body: z.strictObject({
    name: name.optional(),
    description: description.optional(),
    color: color.optional(),
    rules: groupRules.nullable().optional(),
  }),
  output: workflowGroupRecord,
  status: 200,
  errorCodes: ['conflict'],
  run: (services, { tenant_id, group_id, name: newName, description: text, color: shade, rules }) => {
    const settings = { name: newName, description: text, color: shade, rules };
    const named = Object.entries(settings).filter(([, value]) => value !== undefined);
    return services.workflowGroups.update(tenant_id, group_id, Object.fromEntries(named));
  },
});

export const deleteWorkflowGroupOperation = defineOperation({
  id: 'workflow-groups.delete',
  method: 'DELETE',
  path: `${PATH}/{group_id}`,
  summary: 'Deletes a group; its workflows are kept without a group',
  access: WRITE,
  params: groupParams,
  output: z.null(),
  status: 204,
  run: (services, input) => services.workflowGroups.remove(input.tenant_id, input.group_id).then(() => null),
});

export const assignWorkflowsOperation = defineOperation({
  id: 'workflow-groups.assign',
  method: 'POST',
  path: `${PATH}/{group_id}/workflows`,
  summary: 'Assigns workflows to a group manually, also from another group; rules no longer move them',
  access: WRITE,
  params: groupParams,
  body: z.strictObject({ workflow_ids: z.array(z.string().min(1).max(200)).min(1).max(500) }),
  bodyLimit: 'documents',
  output: workflowGroupRecord,
  status: 200,
  run: (services, input) => services.workflowGroups.assign(input.tenant_id, input.group_id, input.workflow_ids),
});

export const unassignWorkflowOperation = defineOperation({
  id: 'workflow-groups.unassign',
  method: 'DELETE',
  path: `${PATH}/{group_id}/workflows/{workflow_id}`,
  summary: 'Takes a workflow out of a group',
  access: WRITE,
  params: groupParams.extend({ workflow_id: z.string() }),
  output: z.null(),
  status: 204,
  run: (services, input) =>
    services.workflowGroups.unassign(input.tenant_id, input.group_id, input.workflow_id).then(() => null),
});

const ids = z.array(z.string());
export const autoDetectWorkflowsOperation = defineOperation({
  id: 'workflow-groups.auto-detect',
  method: 'POST',
  path: `${PATH}/{group_id}/auto-detect`,
  summary: 'Puts the workflows that match the rules into the group, and takes out automatic ones that no longer do',
  access: WRITE,
  params: groupParams,
  output: z.object({
    group_id: z.string(),
    matched: z.number().int(),
    assigned: ids.describe('Added to the group'),
    removed: ids.describe('Removed from the group'),
    kept_elsewhere: ids.describe('Match, but were assigned to another group manually'),
    workflow_count: z.number().int(),
  }),
  status: 200,
  run: (services, input) => services.workflowGroups.autoDetect(input.tenant_id, input.group_id),
});

export const listWorkflowsOperation = defineOperation({
  id: 'workflows.list',
  method: 'GET',
  path: '/tenants/{tenant_id}/workflows',
  summary: 'Workflows seen in traces, the most recent first: runs of one source, service and name',
  access: READ,
  params: tenantParams,
  query: pageQuery.extend({
    group_id: z.string().optional().describe('Only those in this group'),
    source: z.string().optional().describe('Only those of this framework'),
    q: z.string().max(200).optional().describe('Text in the name or the service, case-insensitive'),
  }),
  output: pageOf(workflowRecord),
  status: 200,
  run: (services, input) =>
    services.workflowGroups.workflows(
      input.tenant_id,
      { groupId: input.group_id ?? null, source: input.source ?? null, text: input.q || null },
      toPageRequest(input),
    ),
});

export const workflowGroupOperations = [
  createWorkflowGroupOperation,
  listWorkflowGroupsOperation,
  getWorkflowGroupOperation,
  updateWorkflowGroupOperation,
  deleteWorkflowGroupOperation,
  assignWorkflowsOperation,
  unassignWorkflowOperation,
  autoDetectWorkflowsOperation,
  listWorkflowsOperation,
];
