import type { Kysely } from 'kysely';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { type ModelUse, summarizeModels } from '../../formats/trace-model/summarize-models.ts';
import { detectionsOfTraces } from '../../store/detection.store.ts';
import { readInstanceValue, readOrCreateInstanceValue } from '../../store/instance.store.ts';
import type { Database, DetectionTable, TraceTable } from '../../store/schema.ts';
import { readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { eachTenantNo } from '../../store/tenant.store.ts';
import { readTraces, saveTraces, tracesWithoutFigures } from '../../store/trace.store.ts';
import {
  changeFigures,
  encodeFigures,
  finishFigureRebuild,
  readFigureRebuild,
  rebuildFigureBatch,
  tenantsRebuildingFigures,
} from '../../store/trace-figures.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { dropEmptyWorkflows } from '../../store/workflow.store.ts';
import { isCounted } from '../detections/counted.ts';
import { figuresOfTrace } from './figures-of-trace.ts';

export interface RebuiltFigures {
  /** Traces that are included now. */
  traces: number;
  /** Those that were not included before. */
  added: number;
}

/** Small, so that concurrent requests are not delayed. */
const TRACES_PER_BATCH = 20;
const TRACES_PER_SLICE = 100;

export interface FiguresWork {
  db: Kysely<Database>;
  models: ModelCatalog;
  now(): number;
  /** Checked between batches; a later run does the rest. */
  isStopped(): boolean;
}

/** Reads traces that were analyzed before figures were stored, and adds their contributions. @returns how many */
export async function addMissingFigures({ db, models, isStopped }: FiguresWork, tenantNo: number): Promise<number> {
  let added = 0;
  for (let last: string | null = ''; last !== null && !isStopped(); ) {
    const rows: TraceTable[] = await tracesWithoutFigures(db, tenantNo, last, TRACES_PER_BATCH);
    if (rows.length > 0) added += await addBatch(db, tenantNo, rows, models);
    last = rows.length < TRACES_PER_BATCH ? null : (rows.at(-1) as TraceTable).trace_id;
    await new Promise(setImmediate);
  }
  return added;
}

async function addBatch(
  db: Kysely<Database>,
  tenantNo: number,
  rows: readonly TraceTable[],
  models: ModelCatalog,
): Promise<number> {
  const traceIds = rows.map((row) => row.trace_id);
  const chunks = await readChunksOfTraces(db, tenantNo, traceIds);
  const uses = new Map(rows.map((row) => [row.trace_id, modelsOf(row, chunks.get(row.trace_id) ?? [], models)]));
  return inTransaction(db, async (transaction) => {
    const current = await readTraces(transaction, tenantNo, traceIds);
    const detections = await detectionsOfTraces(transaction, tenantNo, traceIds);
    // Traces that were analyzed in the meantime are already included.
    const missing = [...current.values()].filter((row) => row.figures === null);
    const changes = missing.map((row) => {
      const after = figuresOfRow(row, uses.get(row.trace_id) ?? [], detections.get(row.trace_id) ?? []);
      return { traceId: row.trace_id, row, before: null, after };
    });
    await saveTraces(
      transaction,
      changes.map(({ row, after }) => ({
        ...row,
        figures: encodeFigures(after),
        figures_day: after.day,
        workflow_id: after.workflow.workflowId,
      })),
    );
    await changeFigures(transaction, tenantNo, changes);
    return changes.length;
  });
}

/**
 * Rebuilds the sums of the tenant from each trace's contribution, next to the old sums, which are used until the new
 * ones are complete. Continues an interrupted run. @returns the number of traces
 */
export async function rebuildFigures(work: FiguresWork, tenantNo: number): Promise<number> {
  let traces = 0;
  for (let mayStart = true; ; mayStart = false) {
    const slice = await rebuildBatch(work, tenantNo, { mayStart, limit: TRACES_PER_SLICE });
    traces = slice?.traces ?? traces;
    if (slice === null || slice.isLast || work.isStopped()) return traces;
    await new Promise(setImmediate);
  }
}

/** One short transaction; null if nothing is left, since another run has finished it. */
export function rebuildBatch(
  { db, now }: Pick<FiguresWork, 'db' | 'now'>,
  tenantNo: number,
  { mayStart, limit }: { mayStart: boolean; limit: number },
): Promise<{ traces: number; isLast: boolean } | null> {
  return inTransaction(db, async (transaction) => {
    const state = (await readFigureRebuild(transaction, tenantNo)) ?? (mayStart ? { last: '', traces: 0 } : null);
    if (state === null) return null;
    const slice = await rebuildFigureBatch(transaction, tenantNo, state, { limit, now: now() });
    if (slice.isLast) {
      await finishFigureRebuild(transaction, tenantNo);
      await dropEmptyWorkflows(transaction, tenantNo);
    }
    return slice;
  });
}

const COMPLETE = 'figures_complete';

/** Completes work that an earlier version, or a process that ended, left for any tenant. @returns traces that were added */
export async function catchUpFigures(work: FiguresWork): Promise<number> {
  const { db } = work;
  let added = 0;
  if ((await readInstanceValue(db, COMPLETE)) === null) {
    for await (const tenantNo of eachTenantNo(db)) added += await addMissingFigures(work, tenantNo);
    // Every later analysis stores its figures, so this need not be checked again.
    if (!work.isStopped()) await readOrCreateInstanceValue(db, COMPLETE, () => String(work.now()));
  }
  for (const tenantNo of await tenantsRebuildingFigures(db))
    if (!work.isStopped()) await rebuildFigures(work, tenantNo);
  return added;
}

function modelsOf(row: TraceTable, chunks: readonly Uint8Array[], models: ModelCatalog): ModelUse[] {
  const spans = mergeChunks(chunks, row.trace_id);
  return summarizeModels(buildTrace(spans, { models, isSettled: row.root_ended === 1 }));
}

function figuresOfRow(row: TraceTable, models: readonly ModelUse[], detections: readonly DetectionTable[]) {
  return figuresOfTrace({
    framework: row.framework,
    serviceName: row.service_name,
    name: row.name,
    codingSession: row.ended_by === null ? null : { project: row.project },
    startedAt: row.listed_at ?? row.started_at,
    spanCount: row.span_count,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    qualityScore: row.quality_score,
    models,
    detections: detections.filter(isCounted).map(({ body }) => JSON.parse(body) as Detection),
  });
}
