import type { TraceOrder } from '../../core/trace-order.ts';
import type { TraceFilter } from '../../store/trace-list.store.ts';

/** Members of a filter that one index covers, or that exclude few traces. */
const INDEXED: Readonly<Partial<Record<TraceOrder, readonly ReadonlySet<string>[]>>> = {
  started_at: ['status', 'workflowId', 'isCodingSession', 'traceIds'].map(
    (name) => new Set([name, 'isRun', 'from', 'to']),
  ),
  failure_rank: [new Set(['isRun'])],
};

/** Whether a page is read without reading traces that are not on it. */
export function isIndexed(filter: TraceFilter, order: TraceOrder): boolean {
  const used = Object.entries(filter).flatMap(([name, value]) => (isSet(value) ? name : []));
  return (INDEXED[order] ?? []).some((served) => used.every((name) => served.has(name)));
}

/** Whether the member restricts the list; `false` does not. */
function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false;
}
