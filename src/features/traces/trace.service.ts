import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Severity } from '../../core/severity.ts';
import type { Span } from '../../core/span.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { detectionsOfTrace } from '../../store/detection.store.ts';
import type { Database, DetectionTable, TraceTable } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { countTraces, listTraces, readTrace, type TraceFilter } from '../../store/trace.store.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { mergeChunks } from '../analysis/analyze-chunks.ts';
import { canonicalTraceId } from './canonical-trace-id.ts';
import { rootCauseOf, type Symptom } from './root-cause.ts';
import {
  type StateRecord,
  type TraceRecord,
  type TraceSummaryRecord,
  toSpanRecord,
  toStateRecord,
  toTraceSummaryRecord,
} from './trace.record.ts';

export interface TraceService {
  /** Newest start first. */
  list(tenantId: string, filter: TraceFilter, page: PageRequest): Promise<Page<TraceSummaryRecord>>;
  /** With all spans and states. @throws AppError `not_found` */
  get(tenantId: string, traceId: string): Promise<TraceRecord>;
  states(tenantId: string, traceId: string): Promise<StateRecord[]>;
  /** Spans as they are stored, doubles removed. */
  spans(tenantId: string, traceId: string): Promise<Span[]>;
}

export function createTraceService(options: {
  db: Kysely<Database>;
  models: ModelCatalog;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
}): TraceService {
  const { db, models, tenantNoOf } = options;
  const { countOnce } = createCountCache(options.clock);

  async function load(tenantId: string, traceId: string): Promise<{ row: TraceTable; spans: Span[] }> {
    const tenantNo = await tenantNoOf(tenantId);
    const id = canonicalTraceId(traceId);
    const row = await readTrace(db, tenantNo, id);
    if (!row) throw new AppError('not_found', `There is no trace ${traceId}.`);
    return { row, spans: mergeChunks(await readChunks(db, tenantNo, id), id) };
  }

  async function symptomsOf({ tenant_no, trace_id }: TraceTable): Promise<Symptom[]> {
    const rows = await detectionsOfTrace(db, tenant_no, trace_id);
    return rows.filter((row) => row.withdrawn_at === null && row.is_valid !== 0).map(toSymptom);
  }

  return {
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const { after, ...range } = toRange(page);
      const position = after && { startedAt: after.at, traceId: after.id };
      const rows = await listTraces(db, tenantNo, filter, { ...range, after: position });
      return toPage(
        rows,
        await countOnce(JSON.stringify([tenantNo, filter]), () => countTraces(db, tenantNo, filter)),
        page,
        {
          toItem: toTraceSummaryRecord,
          positionOf: (row) => ({ at: row.started_at, id: row.trace_id }),
        },
      );
    },
    async get(tenantId, traceId) {
      const { row, spans } = await load(tenantId, traceId);
      const trace = buildTrace(spans, { models, isSettled: row.root_ended === 1 });
      const spanOf = new Map(spans.map((span) => [span.spanId, span]));
      return {
        ...toTraceSummaryRecord(row),
        final_output: trace.finalOutput,
        root_cause: rootCauseOf(trace, row.detection_count > 0 ? await symptomsOf(row) : []),
        spans: trace.steps.map((step) => toSpanRecord(spanOf.get(step.spanId) as Span, step)),
        states: trace.states.map(toStateRecord),
      };
    },
    async states(tenantId, traceId) {
      const { row, spans } = await load(tenantId, traceId);
      return buildTrace(spans, { models, isSettled: row.root_ended === 1 }).states.map(toStateRecord);
    },
    spans: async (tenantId, traceId) => (await load(tenantId, traceId)).spans,
  };
}

function toSymptom({ severity, confidence, step, agent_id, body }: DetectionTable): Symptom {
  const { title } = JSON.parse(body) as Detection;
  return { severity: severity as Severity, confidence, step, agent: agent_id, title };
}
