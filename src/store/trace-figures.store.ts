import type { FigureShare, TraceFigures, WorkflowShare } from '../core/trace-figures.ts';
import type { DailyFigureTable, WorkflowTable } from './analytics-tables.ts';
import type { Db } from './connection.ts';
import { deleteSetting, readSetting, writeSetting } from './setting.store.ts';
import { rebuildTenantNo } from './tenant.store.ts';
import { inBatches } from './transaction.ts';

/** The previous contribution of a trace, and its new one; null if none. */
export interface FigureChange {
  traceId: string;
  before: TraceFigures | null;
  after: TraceFigures | null;
}

const ROWS_PER_STATEMENT = 100;

/** Compact, since every analyzed trace stores one. */
export function encodeFigures({ day, shares, workflow }: TraceFigures): string {
  const rows = shares.map((share) => [
    share.dimension,
    share.label,
    share.count,
    share.tokens,
    share.costNanoUsd,
    share.amount,
  ]);
  return JSON.stringify([day, rows, workflow]);
}

type EncodedShare = [FigureShare['dimension'], string, number, number, number, number];

export function decodeFigures(text: string): TraceFigures {
  const [day, rows, workflow] = JSON.parse(text) as [number, EncodedShare[], WorkflowShare];
  const shares = rows.map(([dimension, label, count, tokens, costNanoUsd, amount]) => {
    return { dimension, label, count, tokens, costNanoUsd, amount };
  });
  return { day, shares, workflow };
}

/**
 * Changes the sums by the differences; call it in the transaction that changes the traces themselves. A row that no trace
 * contributes to any more is deleted.
 */
export async function changeFigures(db: Db, tenantNo: number, changes: readonly FigureChange[]): Promise<void> {
  if (changes.length === 0) return;
  await addDifferences(db, tenantNo, changes);
  const rebuild = await readFigureRebuild(db, tenantNo);
  if (rebuild === null) return;
  // Traces after `last` are added later, with their contribution at that time.
  const summed = changes.filter(({ traceId }) => traceId <= rebuild.last);
  if (summed.length > 0) await addDifferences(db, rebuildTenantNo(tenantNo), summed);
}

type Difference = Omit<FigureChange, 'traceId'>;

async function addDifferences(db: Db, tenantNo: number, changes: readonly Difference[]): Promise<void> {
  await addToDailyFigures(db, dailyDifferences(tenantNo, changes));
  await addToWorkflows(db, workflowDifferences(tenantNo, changes));
}

/** In a fixed order, so that two writers never deadlock. */
export function dailyDifferences(tenantNo: number, changes: readonly Difference[]): DailyFigureTable[] {
  const sums = new Map<string, DailyFigureTable>();
  const add = ({ day, shares }: TraceFigures, sign: 1 | -1) => {
    for (const { dimension, label, count, tokens, costNanoUsd, amount } of shares) {
      const key = `${dimension} ${day} ${label}`;
      const sum = sums.get(key) ?? zeroFigure(tenantNo, dimension, day, label);
      sums.set(key, sum);
      sum.count += sign * count;
      sum.tokens += sign * tokens;
      sum.cost_nano_usd += sign * costNanoUsd;
      sum.amount += sign * amount;
    }
  };
  for (const { before, after } of changes) {
    if (before) add(before, -1);
    if (after) add(after, 1);
  }
  const changed = [...sums].filter(([, row]) => row.count || row.tokens || row.cost_nano_usd || row.amount);
  return changed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function zeroFigure(tenantNo: number, dimension: string, day: number, label: string): DailyFigureTable {
  return { tenant_no: tenantNo, dimension, day, label, count: 0, tokens: 0, cost_nano_usd: 0, amount: 0 };
}

async function addToDailyFigures(db: Db, differences: readonly DailyFigureTable[]): Promise<void> {
  for (const slice of inBatches(differences, ROWS_PER_STATEMENT)) {
    const rows = await db
      .insertInto('daily_figures')
      .values(slice)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'dimension', 'day', 'label']).doUpdateSet((update) => ({
          count: update('daily_figures.count', '+', update.ref('excluded.count')),
          tokens: update('daily_figures.tokens', '+', update.ref('excluded.tokens')),
          cost_nano_usd: update('daily_figures.cost_nano_usd', '+', update.ref('excluded.cost_nano_usd')),
          amount: update('daily_figures.amount', '+', update.ref('excluded.amount')),
        })),
      )
      .returning(['tenant_no', 'dimension', 'day', 'label', 'count'])
      .execute();
    for (const row of rows) if (row.count === 0) await dropDailyFigure(db, row);
  }
}

async function dropDailyFigure(
  db: Db,
  key: Pick<DailyFigureTable, 'tenant_no' | 'dimension' | 'day' | 'label'>,
): Promise<void> {
  await db
    .deleteFrom('daily_figures')
    .where('tenant_no', '=', key.tenant_no)
    .where('dimension', '=', key.dimension)
    .where('day', '=', key.day)
    .where('label', '=', key.label)
    .execute();
}

function workflowDifferences(tenantNo: number, changes: readonly Difference[]): WorkflowTable[] {
  const sums = new Map<string, WorkflowTable>();
  const add = (share: WorkflowShare, sign: 1 | -1) => {
    const sum = sums.get(share.workflowId) ?? zeroWorkflow(tenantNo, share);
    sums.set(share.workflowId, sum);
    sum.trace_count += sign;
    sum.step_count += sign * share.stepCount;
    sum.scored_count += share.scoreTenths === null ? 0 : sign;
    sum.score_tenths += sign * (share.scoreTenths ?? 0);
    sum.tokens += sign * share.tokens;
    sum.cost_nano_usd += sign * share.costNanoUsd;
    if (sign > 0) sum.last_seen_at = Math.max(sum.last_seen_at, share.seenAt);
  };
  for (const { before, after } of changes) {
    if (before) add(before.workflow, -1);
    if (after) add(after.workflow, 1);
  }
  const changed = [...sums.values()].filter(isChange);
  return changed.sort((one, other) => (one.workflow_id < other.workflow_id ? -1 : 1));
}

function isChange(row: WorkflowTable): boolean {
  const { trace_count, step_count, scored_count, score_tenths, tokens, cost_nano_usd } = row;
  return [trace_count, step_count, scored_count, score_tenths, tokens, cost_nano_usd].some((sum) => sum !== 0);
}

function zeroWorkflow(tenantNo: number, { workflowId, source, serviceName, name }: WorkflowShare): WorkflowTable {
  return {
    tenant_no: tenantNo,
    workflow_id: workflowId,
    source,
    service_name: serviceName,
    name,
    trace_count: 0,
    step_count: 0,
    scored_count: 0,
    score_tenths: 0,
    tokens: 0,
    cost_nano_usd: 0,
    last_seen_at: 0,
    group_id: null,
    is_manual: 0,
  };
}

async function addToWorkflows(db: Db, differences: readonly WorkflowTable[]): Promise<void> {
  for (const slice of inBatches(differences, ROWS_PER_STATEMENT)) {
    const rows = await db
      .insertInto('workflows')
      .values(slice)
      .onConflict((conflict) =>
        conflict.columns(['tenant_no', 'workflow_id']).doUpdateSet((update) => {
          const isLater = update('excluded.last_seen_at', '>', update.ref('workflows.last_seen_at'));
          return {
            trace_count: update('workflows.trace_count', '+', update.ref('excluded.trace_count')),
            step_count: update('workflows.step_count', '+', update.ref('excluded.step_count')),
            scored_count: update('workflows.scored_count', '+', update.ref('excluded.scored_count')),
            score_tenths: update('workflows.score_tenths', '+', update.ref('excluded.score_tenths')),
            tokens: update('workflows.tokens', '+', update.ref('excluded.tokens')),
            cost_nano_usd: update('workflows.cost_nano_usd', '+', update.ref('excluded.cost_nano_usd')),
            last_seen_at: update
              .case()
              .when(isLater)
              .then(update.ref('excluded.last_seen_at'))
              .else(update.ref('workflows.last_seen_at'))
              .end(),
          };
        }),
      )
      .returning(['tenant_no', 'workflow_id', 'trace_count', 'is_manual'])
      .execute();
    // A manual assignment to a group is kept, in case the workflow runs again.
    for (const row of rows) if (row.trace_count === 0 && row.is_manual === 0) await dropWorkflow(db, row);
  }
}

async function dropWorkflow(db: Db, key: Pick<WorkflowTable, 'tenant_no' | 'workflow_id'>): Promise<void> {
  await db
    .deleteFrom('workflows')
    .where('tenant_no', '=', key.tenant_no)
    .where('workflow_id', '=', key.workflow_id)
    .execute();
}

/** Subtracts the contributions of traces that are about to be deleted. */
export async function subtractFigures(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('traces')
    .select(['trace_id', 'figures'])
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .where('figures', 'is not', null)
    .execute();
  await changeFigures(
    db,
    tenantNo,
    rows.map(({ trace_id, figures }) => {
      return { traceId: trace_id, before: decodeFigures(figures as string), after: null };
    }),
  );
  await db
    .updateTable('traces')
    .set({ figures: null, figures_day: null, workflow_id: null })
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .execute();
}

/** State of a rebuild of a tenant's sums, which are built next to the old ones. */
export interface FigureRebuild {
  /** Traces up to this id are included. */
  last: string;
  /** Number of traces added so far. */
  traces: number;
}

const REBUILD_SETTING = 'sums_anew';

export async function readFigureRebuild(db: Db, tenantNo: number): Promise<FigureRebuild | null> {
  return (await readSetting(db, tenantNo, REBUILD_SETTING)) as FigureRebuild | null;
}

/** Tenants whose sums are being rebuilt, or were when a process ended. */
export async function tenantsRebuildingFigures(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('settings').select('tenant_no').where('name', '=', REBUILD_SETTING).execute();
  return rows.map((row) => row.tenant_no);
}

/** Adds the contributions of some more traces; call it in its own transaction. @returns the total so far, and whether it is complete */
export async function rebuildFigureBatch(
  db: Db,
  tenantNo: number,
  { last, traces }: FigureRebuild,
  { limit, now }: { limit: number; now: number },
): Promise<{ traces: number; isLast: boolean }> {
  const rows = await db
    .selectFrom('traces')
    .select(['trace_id', 'figures'])
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '>', last)
    .where('figures', 'is not', null)
    .orderBy('trace_id')
    .limit(limit)
    .execute();
  const changes = rows.map(({ figures }) => ({ before: null, after: decodeFigures(figures as string) }));
  await addDifferences(db, rebuildTenantNo(tenantNo), changes);
  const state = { last: rows.at(-1)?.trace_id ?? last, traces: traces + rows.length };
  await writeSetting(db, tenantNo, REBUILD_SETTING, state, now);
  return { traces: state.traces, isLast: rows.length < limit };
}

/** Replaces the old sums by the rebuilt ones; groups and their contents stay. */
export async function finishFigureRebuild(db: Db, tenantNo: number): Promise<void> {
  await deleteSetting(db, tenantNo, REBUILD_SETTING);
  await db.deleteFrom('daily_figures').where('tenant_no', '=', tenantNo).execute();
  const rebuildNo = rebuildTenantNo(tenantNo);
  await db.updateTable('daily_figures').set({ tenant_no: tenantNo }).where('tenant_no', '=', rebuildNo).execute();
  await db
    .updateTable('workflows')
    .set({ trace_count: 0, step_count: 0, scored_count: 0, score_tenths: 0, tokens: 0, cost_nano_usd: 0 })
    .where('tenant_no', '=', tenantNo)
    .execute();
  const workflows = await db.deleteFrom('workflows').where('tenant_no', '=', rebuildNo).returningAll().execute();
  await addToWorkflows(
    db,
    workflows.map((row) => ({ ...row, tenant_no: tenantNo })),
  );
}
