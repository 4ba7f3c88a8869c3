import type { TraceOrder } from '../../core/trace-order.ts';
import type { TraceTable } from '../../store/schema.ts';
import { countByTime, listFacetRows, startsOfTraces, workflowNames } from '../../store/trace-facet.store.ts';
import { countTraces, listTraces, type TraceFilter, type TracePosition } from '../../store/trace-list.store.ts';
import { defineTask } from '../offload/task.ts';
import { currentSummariesTask } from './current-summary.ts';
import { FacetCounts, type TraceFacetsRecord, toFacetFilter } from './trace-facets.ts';
import { histogramOf, stepOf, type TraceHistogramRecord } from './trace-histogram.ts';

interface Selected {
  tenantNo: number;
  filter: TraceFilter;
}

export interface TraceRange {
  after: TracePosition | null;
  offset: number;
  limit: number;
  order: TraceOrder;
}

/** Rows of a list that no index covers. */
export const traceRowsTask = defineTask<TraceTable[]>()<Selected & { range: TraceRange }>({
  name: 'traces.rows',
  kind: 'read',
  async *run({ db }, { tenantNo, filter, range }) {
    yield JSON.stringify(await listTraces(db, tenantNo, filter, range));
  },
});

export const traceCountTask = defineTask<number>()<Selected>({
  name: 'traces.count',
  kind: 'read',
  async *run({ db }, { tenantNo, filter }) {
    yield JSON.stringify(await countTraces(db, tenantNo, filter));
  },
});

/** Traces over which facets are counted; a tenant with more sees the counts of the newest. */
const MAX_COUNTED = 50_000;

export const traceFacetsTask = defineTask<TraceFacetsRecord>()<Selected & { top: number }>({
  name: 'traces.facets',
  kind: 'read',
  async *run({ db }, { tenantNo, filter, top }) {
    const { rest, chosen } = toFacetFilter(filter);
    const rows = await listFacetRows(db, tenantNo, rest, MAX_COUNTED + 1);
    const counts = new FacetCounts(chosen);
    for (const row of rows.slice(0, MAX_COUNTED)) counts.add(row);
    const workflows = counts.top('workflow', top).map(([id]) => id);
    const record = counts.record(top, await workflowNames(db, tenantNo, workflows));
    const facets: TraceFacetsRecord = { ...record, is_complete: rows.length <= MAX_COUNTED };
    yield JSON.stringify(facets);
  },
});

export const traceHistogramTask = defineTask<TraceHistogramRecord>()<Selected & { buckets: number }>({
  name: 'traces.histogram',
  kind: 'read',
  async *run({ db }, { tenantNo, filter, buckets }) {
    const starts = await startsOfTraces(db, tenantNo, filter);
    if (starts === null) return yield JSON.stringify({ step_ms: 1_000, total: 0, buckets: [] });
    const from = filter.from ?? starts.first;
    const to = filter.to === null ? starts.last : Math.max(from, filter.to - 1);
    const stepMs = stepOf(from, to, buckets);
    yield JSON.stringify(histogramOf(await countByTime(db, tenantNo, filter, stepMs), { from, to, stepMs }));
  },
});

export const traceListTasks = [
  traceRowsTask,
  traceCountTask,
  traceFacetsTask,
  traceHistogramTask,
  currentSummariesTask,
];
