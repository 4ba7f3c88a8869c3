import { AppError } from '../../core/app-error.ts';
import {
  assignWorkflowsOperation,
  autoDetectWorkflowsOperation,
  createWorkflowGroupOperation,
  deleteWorkflowGroupOperation,
  getWorkflowGroupOperation,
  listWorkflowGroupsOperation,
  listWorkflowsOperation,
} from '../../features/workflow-groups/workflow-group.operations.ts';
import type { WorkflowGroupRecord, WorkflowRecord } from '../../features/workflow-groups/workflow-group.record.ts';
import type { CommandContext } from '../context.ts';
import { count, dollars } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import type { Column } from '../views/table.ts';
import { type PageFlags, pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export interface GroupFlags {
  description?: string;
  color?: string;
  rules?: string;
}

export interface WorkflowListFlags extends PageFlags {
  group?: string;
  source?: string;
  search?: string;
}

export async function listGroups(context: CommandContext, flags: PageFlags): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), ...pageInput(flags) };
  printPage(context, await backend.call(listWorkflowGroupsOperation, input), GROUP_COLUMNS, 'groups');
}

export async function showGroup(context: CommandContext, groupId: string): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), group_id: groupId };
  printGroup(context, await backend.call(getWorkflowGroupOperation, input));
}

export async function createGroup(context: CommandContext, name: string, flags: GroupFlags): Promise<void> {
  const backend = await context.backend();
  const group = await backend.call(createWorkflowGroupOperation, {
    tenant_id: await backend.tenantId(),
    name,
    description: flags.description,
    color: flags.color,
    // The operation validates the rules and reports errors.
    rules: flags.rules === undefined ? undefined : (readJson(flags.rules) as never),
  });
  if (context.options.isJson) context.print.json(group);
  else context.print.data(`${group.group_id}\n`);
}

export async function assign(context: CommandContext, groupId: string, workflowIds: string[]): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), group_id: groupId, workflow_ids: workflowIds };
  printGroup(context, await backend.call(assignWorkflowsOperation, input));
}

export async function autoDetect(context: CommandContext, groupId: string): Promise<void> {
  const backend = await context.backend();
  const input = { tenant_id: await backend.tenantId(), group_id: groupId };
  const found = await backend.call(autoDetectWorkflowsOperation, input);
  if (context.options.isJson) return context.print.json(found);
  const rows: [string, string][] = [
    ['match', count(found.matched)],
    ['came in', count(found.assigned.length)],
    ['left', count(found.removed.length)],
    ['kept elsewhere', count(found.kept_elsewhere.length)],
    ['workflows', count(found.workflow_count)],
  ];
  context.print.data(facts(rows, context.style));
}

export async function deleteGroup(context: CommandContext, groupId: string): Promise<void> {
  const backend = await context.backend();
  await backend.call(deleteWorkflowGroupOperation, { tenant_id: await backend.tenantId(), group_id: groupId });
  context.print.note(`Deleted ${groupId}.`);
}

export async function listWorkflows(context: CommandContext, flags: WorkflowListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listWorkflowsOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    group_id: flags.group,
    source: flags.source,
    q: flags.search,
  });
  printPage(context, page, WORKFLOW_COLUMNS, 'workflows');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('usage', '--rules is not valid JSON.');
  }
}

function printGroup({ options, print, style }: CommandContext, group: WorkflowGroupRecord): void {
  if (options.isJson) print.json(group);
  else print.data(facts(groupFacts(group), style));
}

function groupFacts(group: WorkflowGroupRecord): [string, string][] {
  return [
    ['group', group.group_id],
    ['name', group.name],
    ['description', group.description ?? '–'],
    ['rules', group.rules ? JSON.stringify(group.rules) : '–'],
    ['workflows', count(group.workflow_count)],
    ['traces', count(group.trace_count)],
    ['mean score', score(group)],
  ];
}

function score({ average_score, grade }: { average_score: number | null; grade: string | null }): string {
  return average_score === null ? '–' : `${average_score} (${grade})`;
}

const GROUP_COLUMNS: Column<WorkflowGroupRecord>[] = [
  { title: 'name', text: (group) => group.name, limit: 40 },
  { title: 'workflows', text: (group) => count(group.workflow_count), align: 'right' },
  { title: 'traces', text: (group) => count(group.trace_count), align: 'right' },
  { title: 'mean score', text: score, align: 'right' },
  { title: 'group', text: (group) => group.group_id },
];

const WORKFLOW_COLUMNS: Column<WorkflowRecord>[] = [
  { title: 'name', text: (workflow) => workflow.name, limit: 40 },
  { title: 'source', text: (workflow) => workflow.source },
  { title: 'service', text: (workflow) => workflow.service_name ?? '–', limit: 24 },
  { title: 'traces', text: (workflow) => count(workflow.trace_count), align: 'right' },
  { title: 'steps', text: (workflow) => String(workflow.complexity), align: 'right' },
  { title: 'mean score', text: score, align: 'right' },
  { title: 'cost', text: (workflow) => dollars(workflow.cost_usd), align: 'right' },
  { title: 'group', text: (workflow) => workflow.group_id ?? '–' },
  { title: 'workflow', text: (workflow) => workflow.workflow_id },
];
