import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { TraceOrder } from '../../core/trace-order.ts';
import type { Database } from '../../store/schema.ts';
import { countTracesUpTo, listTraces, sortedValueOf, type TraceFilter } from '../../store/trace-list.store.ts';
import type { CallOptions } from '../_kit/caller.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { assertOrder, toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { currentSummaries } from './current-summary.ts';
import { isIndexed } from './indexed-filters.ts';
import { type TraceSummaryRecord, toTraceSummaryRecord } from './trace.record.ts';
import type { TraceFacetsRecord } from './trace-facets.ts';
import type { TraceHistogramRecord } from './trace-histogram.ts';
import { traceCountTask, traceFacetsTask, traceHistogramTask, traceRowsTask } from './trace-list.tasks.ts';

export interface TraceListService {
  /** Newest start first, unless another order is requested. @throws AppError `invalid_query` */
  list(
    tenantId: string,
    filter: TraceFilter,
    page: PageRequest,
    order?: TraceOrder,
    callOptions?: CallOptions,
  ): Promise<Page<TraceSummaryRecord>>;
  /** @param top values of each facet that are named */
  facets(
    tenantId: string,
    filter: TraceFilter,
    top: number,
    callOptions?: CallOptions,
  ): Promise<JsonText<TraceFacetsRecord>>;
  /** @param buckets maximum number of buckets */
  histogram(
    tenantId: string,
    filter: TraceFilter,
    buckets: number,
    callOptions?: CallOptions,
  ): Promise<JsonText<TraceHistogramRecord>>;
}

/** Maximum rows that are counted or skipped on the event loop; a worker handles more. */
const MAX_COUNTED_AT_ONCE = 2_000;
const MAX_SKIPPED_AT_ONCE = 2_000;

export function createTraceListService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
  tenantNoOf(tenantId: string): Promise<number>;
}): TraceListService {
  const { db, tasks, tenantNoOf } = options;
  const { countOnce } = createCountCache(options.clock);

  async function count(tenantNo: number, filter: TraceFilter, { signal }: CallOptions): Promise<number> {
    const some = isIndexed(filter, 'started_at')
      ? await countTracesUpTo(db, tenantNo, filter, MAX_COUNTED_AT_ONCE)
      : MAX_COUNTED_AT_ONCE;
    if (some < MAX_COUNTED_AT_ONCE) return some;
    return (await tasks.start(traceCountTask, { tenantNo, filter }, { tenantNo, signal })).value();
  }

  return {
    async list(tenantId, filter, page, order = 'started_at', callOptions = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      const { after, ...rest } = toRange(page);
      const orderName = order === 'started_at' ? undefined : order;
      assertOrder(after, orderName !== undefined, orderName);
      const range = { ...rest, order, after: after && { startedAt: after.at, traceId: after.id, value: after.rank } };
      const input = { tenantNo, filter, range };
      const rows =
        isIndexed(filter, order) && range.offset <= MAX_SKIPPED_AT_ONCE
          ? await listTraces(db, tenantNo, filter, range)
          : await (await tasks.start(traceRowsTask, input, { tenantNo, signal: callOptions.signal })).value();
      const current = await currentSummaries(rows, { tasks, tenantNo, signal: callOptions.signal });
      const total = await countOnce(JSON.stringify([tenantNo, filter]), () => count(tenantNo, filter, callOptions));
      return toPage(rows, total, page, {
        toItem: (row) => toTraceSummaryRecord({ ...row, ...current.get(row.trace_id) }),
        // The list is ordered by stored figures.
        positionOf: (row) => ({
          at: row.started_at,
          id: row.trace_id,
          rank: sortedValueOf(row, order),
          order: orderName,
        }),
      });
    },
    async facets(tenantId, filter, top, { signal } = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      return tasks.start(traceFacetsTask, { tenantNo, filter, top }, { tenantNo, signal });
    },
    async histogram(tenantId, filter, buckets, { signal } = {}) {
      const tenantNo = await tenantNoOf(tenantId);
      return tasks.start(traceHistogramTask, { tenantNo, filter, buckets }, { tenantNo, signal });
    },
  };
}
