import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { newId, type Random } from '../../core/id.ts';
import type { WorkflowGroupTable } from '../../store/analytics-tables.ts';
import type { Db } from '../../store/connection.ts';
import type { Database } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import {
  assignAutomatically,
  assignWorkflows,
  countWorkflows,
  eachWorkflow,
  knownWorkflows,
  listWorkflows,
  openIssuesByWorkflow,
  unassignWorkflow,
  unassignWorkflows,
  type WorkflowFilter,
} from '../../store/workflow.store.ts';
import {
  countWorkflowGroups,
  deleteWorkflowGroup,
  insertWorkflowGroup,
  isGroupNameTaken,
  listWorkflowGroups,
  readWorkflowGroup,
  updateWorkflowGroup,
  type WorkflowGroupRow,
} from '../../store/workflow-group.store.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { createRuleMatcher, type GroupRules } from './group-rules.ts';
import {
  complexityOf,
  scoreOf,
  toWorkflowGroupRecord,
  toWorkflowRecord,
  type WorkflowGroupRecord,
  type WorkflowRecord,
} from './workflow-group.record.ts';

export interface GroupSettings {
  name: string;
  description: string | null;
  color: string | null;
  rules: GroupRules | null;
}

export interface AutoDetection {
  group_id: string;
  matched: number;
  /** Workflow ids that were added to the group, and removed from it. */
  assigned: string[];
  removed: string[];
  /** Matching workflows that were assigned to other groups by hand. */
  kept_elsewhere: string[];
  workflow_count: number;
}

/** A workflow is in one group at most. Unknown groups are `not_found`. */
export interface WorkflowGroupService {
  /** @throws AppError `conflict` for a name that is taken */
  create(tenantId: string, settings: GroupSettings): Promise<WorkflowGroupRecord>;
  list(tenantId: string, page: PageRequest): Promise<Page<WorkflowGroupRecord>>;
  get(tenantId: string, groupId: string): Promise<WorkflowGroupRecord>;
  /** Omitted members are unchanged. @throws AppError `conflict` */
  update(tenantId: string, groupId: string, settings: Partial<GroupSettings>): Promise<WorkflowGroupRecord>;
  /** Its workflows are then in no group. */
  remove(tenantId: string, groupId: string): Promise<void>;
  /**
   * Assigns by hand, also from another group. @throws AppError `invalid_body` if one is unknown; none is assigned then
   */
  assign(tenantId: string, groupId: string, workflowIds: readonly string[]): Promise<WorkflowGroupRecord>;
  unassign(tenantId: string, groupId: string, workflowId: string): Promise<void>;
  /** Updates the automatic members of the group by its rules. @throws AppError `conflict` if it has none */
  autoDetect(tenantId: string, groupId: string): Promise<AutoDetection>;
  /** Most recently seen first. */
  workflows(tenantId: string, filter: WorkflowFilter, page: PageRequest): Promise<Page<WorkflowRecord>>;
}

export function createWorkflowGroupService(options: {
  db: Kysely<Database>;
  clock: Clock;
  random: Random;
  tenantNoOf(tenantId: string): Promise<number>;
}): WorkflowGroupService {
  const { db, clock, random, tenantNoOf } = options;

  return {
    async create(tenantId, settings) {
      const tenantNo = await tenantNoOf(tenantId);
      const now = clock.now();
      const groupId = newId('grp', clock, random);
      return inTransaction(db, async (transaction) => {
        await requireFreeName(transaction, tenantNo, settings.name, null);
        const times = { created_at: now, updated_at: now };
        await insertWorkflowGroup(transaction, {
          tenant_no: tenantNo,
          group_id: groupId,
          ...toColumns(settings),
          ...times,
        });
        return toWorkflowGroupRecord(await requireGroup(transaction, tenantNo, groupId));
      });
    },
    async list(tenantId, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listWorkflowGroups(db, tenantNo, toRange(page));
      return toPage(rows, await countWorkflowGroups(db, tenantNo), page, {
        toItem: toWorkflowGroupRecord,
        positionOf: (row) => ({ at: row.created_at, id: row.group_id }),
      });
    },
    async get(tenantId, groupId) {
      return toWorkflowGroupRecord(await requireGroup(db, await tenantNoOf(tenantId), groupId));
    },
    async update(tenantId, groupId, settings) {
      const tenantNo = await tenantNoOf(tenantId);
      return inTransaction(db, async (transaction) => {
        await requireGroup(transaction, tenantNo, groupId);
        if (settings.name !== undefined) await requireFreeName(transaction, tenantNo, settings.name, groupId);
        const { rules, ...plain } = settings;
        const columns = rules === undefined ? plain : { ...plain, rules: toText(rules) };
        await updateWorkflowGroup(transaction, tenantNo, groupId, { ...columns, updated_at: clock.now() });
        return toWorkflowGroupRecord(await requireGroup(transaction, tenantNo, groupId));
      });
    },
    async remove(tenantId, groupId) {
      const tenantNo = await tenantNoOf(tenantId);
      await inTransaction(db, async (transaction) => {
        await requireGroup(transaction, tenantNo, groupId);
        await unassignWorkflows(transaction, tenantNo, groupId);
        await deleteWorkflowGroup(transaction, tenantNo, groupId);
      });
    },
    async assign(tenantId, groupId, workflowIds) {
      const tenantNo = await tenantNoOf(tenantId);
      return inTransaction(db, async (transaction) => {
        await requireGroup(transaction, tenantNo, groupId);
        requireKnown(workflowIds, await knownWorkflows(transaction, tenantNo, workflowIds));
        await assignWorkflows(transaction, tenantNo, workflowIds, groupId);
        return toWorkflowGroupRecord(await requireGroup(transaction, tenantNo, groupId));
      });
    },
    async unassign(tenantId, groupId, workflowId) {
      const tenantNo = await tenantNoOf(tenantId);
      await inTransaction(db, async (transaction) => {
        await requireGroup(transaction, tenantNo, groupId);
        if (await unassignWorkflow(transaction, tenantNo, groupId, workflowId)) return;
        throw new AppError('not_found', `The workflow ${workflowId} is not in the group ${groupId}.`);
      });
    },
    async autoDetect(tenantId, groupId) {
      const tenantNo = await tenantNoOf(tenantId);
      const group = await requireGroup(db, tenantNo, groupId);
      if (group.rules === null) throw new AppError('conflict', `The group ${groupId} has no rules.`);
      // Outside the transaction, because reading all workflows may take a while.
      const found = await matchRules(db, group, JSON.parse(group.rules) as GroupRules);
      return inTransaction(db, async (transaction) => {
        await requireGroup(transaction, tenantNo, groupId);
        await assignAutomatically(transaction, tenantNo, found.assigned, groupId);
        await assignAutomatically(transaction, tenantNo, found.removed, null);
        const { workflow_count } = await requireGroup(transaction, tenantNo, groupId);
        return { group_id: groupId, ...found, workflow_count };
      });
    },
    async workflows(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listWorkflows(db, tenantNo, filter, toRange(page));
      const openIssues = await openIssuesByWorkflow(db, tenantNo, clock.now());
      return toPage(rows, await countWorkflows(db, tenantNo, filter), page, {
        toItem: (row) => toWorkflowRecord(row, openIssues.get(row.workflow_id) ?? 0),
        positionOf: (row) => ({ at: row.last_seen_at, id: row.workflow_id }),
      });
    },
  };
}

async function requireGroup(db: Db, tenantNo: number, groupId: string): Promise<WorkflowGroupRow> {
  const group = await readWorkflowGroup(db, tenantNo, groupId);
  if (group === null) throw new AppError('not_found', `There is no workflow group ${groupId}.`);
  return group;
}

async function requireFreeName(db: Db, tenantNo: number, name: string, exceptId: string | null): Promise<void> {
  if (!(await isGroupNameTaken(db, tenantNo, name, exceptId))) return;
  throw new AppError('conflict', `A workflow group named ${name} already exists.`, {
    errors: [{ pointer: '/name', message: 'is taken' }],
  });
}

function requireKnown(ids: readonly string[], found: ReadonlySet<string>): void {
  const errors = ids.flatMap((id, at) =>
    found.has(id) ? [] : [{ pointer: `/workflow_ids/${at}`, message: 'is not a workflow of this tenant' }],
  );
  if (errors.length > 0)
    throw new AppError('invalid_body', 'Some workflows do not exist; none was assigned.', { errors });
}

/** The group of each workflow by the rules; a workflow that was assigned by hand stays. */
async function matchRules(
  db: Db,
  { tenant_no, group_id }: WorkflowGroupRow,
  rules: GroupRules,
): Promise<Pick<AutoDetection, 'matched' | 'assigned' | 'removed' | 'kept_elsewhere'>> {
  const matches = createRuleMatcher(rules);
  const sorted = { matched: 0, assigned: [] as string[], removed: [] as string[], kept_elsewhere: [] as string[] };
  for await (const row of eachWorkflow(db, tenant_no)) {
    const { name, source, workflow_id } = row;
    const isMatch = matches({ name, source, complexity: complexityOf(row), grade: scoreOf(row).grade });
    const isInside = row.group_id === group_id;
    const isManual = row.is_manual === 1;
    if (isMatch) sorted.matched += 1;
    if (isMatch && !isInside && isManual) sorted.kept_elsewhere.push(workflow_id);
    if (isMatch && !isInside && !isManual) sorted.assigned.push(workflow_id);
    if (!isMatch && isInside && !isManual) sorted.removed.push(workflow_id);
  }
  return sorted;
}

function toColumns(settings: GroupSettings): Pick<WorkflowGroupTable, 'name' | 'description' | 'color' | 'rules'> {
  return { ...settings, rules: toText(settings.rules) };
}

function toText(rules: GroupRules | null): string | null {
  return rules === null ? null : JSON.stringify(rules);
}
