import { AppError } from '../../core/app-error.ts';
import type { Detection } from '../../core/detection.ts';
import { jsonWithLists } from '../../core/json-text.ts';
import type { Severity } from '../../core/severity.ts';
import { detectionsOfTrace } from '../../store/detection.store.ts';
import type { DetectionTable, TraceTable } from '../../store/schema.ts';
import { readTrace } from '../../store/trace.store.ts';
import { isCounted } from '../detections/counted.ts';
import { defineTask, type OffloadContext } from '../offload/task.ts';
import { withCurrentSummary } from './current-summary.ts';
import { rootCauseOf } from './root-cause.ts';
import { leadsOf } from './run-leads.ts';
import type { Symptom } from './symptom.ts';
import {
  type SpanRecord,
  type SpanWindowRecord,
  type StateListRecord,
  type TraceRecord,
  toRejectedRecordsRecord,
  toSpanRecord,
  toStateRecord,
  toTraceSummaryRecord,
} from './trace.record.ts';
import { findInTrace, type Search, type TraceFindRecord } from './trace-find.ts';
import { graphOf, type TraceGraphRecord } from './trace-graph.ts';
import { outlineOf, type TraceOutlineRecord } from './trace-outline.ts';

interface TraceAddress {
  tenantNo: number;
  traceId: string;
}

/** Positions from `from` on, `count` of them; all of them if it is null. */
export interface Window {
  from: number;
  count: number | null;
}

export const wholeTraceTask = defineTask<TraceRecord>()<TraceAddress & { hasSpans: boolean; hasStates: boolean }>({
  name: 'traces.whole',
  kind: 'read',
  async *run(context, { tenantNo, traceId, hasSpans, hasStates }) {
    const { row, trace, spans } = await context.traces.read(context, tenantNo, traceId);
    const symptoms = row.detection_count > 0 ? await symptomsOf(context, row) : [];
    const summary = toTraceSummaryRecord(withCurrentSummary(row, trace));
    const plain = {
      ...summary,
      final_output: trace.finalOutput,
      rejected_records: toRejectedRecordsRecord(trace),
      root_cause: rootCauseOf(trace, symptoms),
      leads: leadsOf(trace, symptoms, summary.failure_rank),
    };
    yield* jsonWithLists(plain, {
      spans: hasSpans ? mapped(spans, (span, at) => toSpanRecord(span, trace.steps[at]!)) : [],
      states: hasStates ? mapped(trace.states, toStateRecord) : [],
    });
  },
});

export const traceOutlineTask = defineTask<TraceOutlineRecord>()<TraceAddress>({
  name: 'traces.outline',
  kind: 'read',
  async *run(context, { tenantNo, traceId }) {
    const { trace, spans } = await context.traces.read(context, tenantNo, traceId);
    yield JSON.stringify(outlineOf(traceId, trace, spans));
  },
});

export const spanWindowTask = defineTask<SpanWindowRecord>()<TraceAddress & ({ ids: string[] } | Window)>({
  name: 'traces.spans',
  kind: 'read',
  async *run(context, { tenantNo, traceId, ...range }) {
    const { trace, spans } = await context.traces.read(context, tenantNo, traceId);
    const places = 'ids' in range ? placesOf(spans, range.ids) : windowOf(spans.length, range);
    const next = 'ids' in range || places.length === 0 ? spans.length : places.at(-1)! + 1;
    const found = new Set(places.map((place) => spans[place]!.spanId));
    const plain = {
      trace_id: traceId,
      total: spans.length,
      next_step: next < spans.length ? next : null,
      missing: 'ids' in range ? range.ids.filter((id) => !found.has(id)) : [],
    };
    yield* jsonWithLists(plain, { items: mapped(places, (place) => toSpanRecord(spans[place]!, trace.steps[place]!)) });
  },
});

export const oneSpanTask = defineTask<SpanRecord>()<TraceAddress & { spanId: string }>({
  name: 'traces.span',
  kind: 'read',
  async *run(context, { tenantNo, traceId, spanId }) {
    const { trace, spans } = await context.traces.read(context, tenantNo, traceId);
    const [place] = placesOf(spans, [spanId]);
    if (place === undefined) throw new AppError('not_found', `The trace has no span ${spanId}.`);
    yield JSON.stringify(toSpanRecord(spans[place]!, trace.steps[place]!));
  },
});

export const statesTask = defineTask<StateListRecord>()<TraceAddress & Window & { spanId: string | null }>({
  name: 'traces.states',
  kind: 'read',
  async *run(context, { tenantNo, traceId, spanId, ...window }) {
    const row = await readTrace(context.db, tenantNo, traceId);
    if (!row) throw new AppError('not_found', `There is no trace ${traceId}.`);
    // The analysis counted them: most traces have none and need not be unpacked.
    const hasNone = row.analyzed_version === row.version && row.state_count === 0;
    const states = hasNone ? [] : (await context.traces.read(context, tenantNo, traceId)).trace.states;
    const ofSpan = spanId === null ? states : states.filter((state) => state.spanId === spanId);
    const shown = windowOf(ofSpan.length, window).map((place) => ofSpan[place]!);
    yield* jsonWithLists({ trace_id: traceId, total: states.length }, { items: mapped(shown, toStateRecord) });
  },
});

export const traceGraphTask = defineTask<TraceGraphRecord>()<TraceAddress>({
  name: 'traces.graph',
  kind: 'read',
  async *run(context, { tenantNo, traceId }) {
    const { trace } = await context.traces.read(context, tenantNo, traceId);
    yield JSON.stringify(graphOf(traceId, trace));
  },
});

export const traceFindTask = defineTask<TraceFindRecord>()<TraceAddress & Search>({
  name: 'traces.find',
  kind: 'read',
  async *run(context, { tenantNo, traceId, ...search }) {
    const { trace, spans } = await context.traces.read(context, tenantNo, traceId);
    yield JSON.stringify(findInTrace(traceId, trace, spans, search));
  },
});

export const traceTasks = [
  wholeTraceTask,
  traceOutlineTask,
  spanWindowTask,
  oneSpanTask,
  statesTask,
  traceGraphTask,
  traceFindTask,
];

/** In order of steps. */
function placesOf(spans: readonly { spanId: string }[], ids: readonly string[]): number[] {
  const wanted = new Set(ids);
  const places: number[] = [];
  for (let at = 0; at < spans.length; at += 1) if (wanted.has(spans[at]!.spanId)) places.push(at);
  return places;
}

function windowOf(length: number, { from, count }: Window): number[] {
  const end = count === null ? length : Math.min(length, from + count);
  return Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
}

/** One item at a time: records of a long trace together take more memory than the trace. */
function* mapped<Item, Result>(
  items: readonly Item[],
  toResult: (item: Item, at: number) => Result,
): Generator<Result> {
  for (let at = 0; at < items.length; at += 1) yield toResult(items[at]!, at);
}

async function symptomsOf({ db }: OffloadContext, { tenant_no, trace_id }: TraceTable): Promise<Symptom[]> {
  const rows = await detectionsOfTrace(db, tenant_no, trace_id);
  return rows.filter(isCounted).map(toSymptom);
}

function toSymptom({ severity, confidence, step, body }: DetectionTable): Symptom {
  const { title, spanIds } = JSON.parse(body) as Detection;
  return { severity: severity as Severity, confidence, step, spanIds, title };
}
