import type { Kysely } from 'kysely';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { type ModelUse, summarizeModels } from '../../formats/trace-model/summarize-models.ts';
import { detectionsOfTraces } from '../../store/detection.store.ts';
import type { Database, DetectionTable, TraceTable } from '../../store/schema.ts';
import { readChunksOfTraces } from '../../store/span-chunk.store.ts';
import { analyzedAfter, readTraces, saveTraces } from '../../store/trace.store.ts';
import {
  changeFigures,
  clearFigures,
  decodeFigures,
  encodeFigures,
  tracesWithFigures,
} from '../../store/trace-figures.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { dropEmptyWorkflows } from '../../store/workflow.store.ts';
import { mergeChunks } from '../analysis/analyze-chunks.ts';
import { figuresOfTrace } from './figures-of-trace.ts';

export interface RebuiltFigures {
  /** Traces that stand in the figures now. */
  traces: number;
  /** Of them those that did not before. */
  added: number;
}

const TRACES_A_BATCH = 100;

/** Reads traces that were analysed before figures were kept, and adds what they add. @returns how many */
export async function addMissingFigures(db: Kysely<Database>, tenantNo: number, models: ModelCatalog): Promise<number> {
  let added = 0;
  for (let last: string | null = ''; last !== null; ) {
    const rows: TraceTable[] = await analyzedAfter(db, tenantNo, last, TRACES_A_BATCH);
    const missing = rows.filter((row) => row.figures === null);
    if (missing.length > 0) added += await addBatch(db, tenantNo, missing, models);
    last = rows.length < TRACES_A_BATCH ? null : (rows.at(-1) as TraceTable).trace_id;
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
    // What was analysed meanwhile stands in the figures by now.
    const missing = [...current.values()].filter((row) => row.figures === null);
    const changes = missing.map((row) => {
      const after = figuresOfRow(row, uses.get(row.trace_id) ?? [], detections.get(row.trace_id) ?? []);
      return { row, before: null, after };
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

/** Sums the figures of the tenant anew from what each of its traces adds. @returns the traces that were summed */
export function sumFiguresAnew(db: Kysely<Database>, tenantNo: number): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await clearFigures(transaction, tenantNo);
    let count = 0;
    for await (const texts of tracesWithFigures(transaction, tenantNo)) {
      const changes = texts.map((text) => ({ before: null, after: decodeFigures(text) }));
      await changeFigures(transaction, tenantNo, changes);
      count += texts.length;
    }
    await dropEmptyWorkflows(transaction, tenantNo);
    return count;
  });
}

function modelsOf(row: TraceTable, chunks: readonly Uint8Array[], models: ModelCatalog): ModelUse[] {
  const spans = mergeChunks(chunks, row.trace_id);
  return summarizeModels(buildTrace(spans, { models, isSettled: row.root_ended === 1 }));
}

function figuresOfRow(row: TraceTable, models: readonly ModelUse[], detections: readonly DetectionTable[]) {
  const standing = detections.filter((detection) => detection.withdrawn_at === null);
  return figuresOfTrace({
    framework: row.framework,
    serviceName: row.service_name,
    name: row.name,
    startedAt: row.listed_at ?? row.started_at,
    spanCount: row.span_count,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    qualityScore: row.quality_score,
    models,
    detections: standing.map(({ body }) => JSON.parse(body) as Detection),
  });
}
