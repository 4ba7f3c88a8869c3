import type { QueryOf } from '../../address/routes.ts';
import { DETAIL_TABS, type DetailTab } from '../../trace-model/quote-tab.ts';
import type { TimeWindow } from '../../trace-model/step-filter.ts';

export const TRACE_VIEWS = ['tree', 'timeline', 'graph', 'chat', 'state'] as const;
export type TraceViewName = (typeof TRACE_VIEWS)[number];

/** The state of the trace page that is stored in its address. */
export interface TraceAddress {
  view: TraceViewName;
  spanId: string | null;
  detectionId: string | null;
  /** Null for the default: the tab with the evidence, or the output. */
  tab: DetailTab | null;
  window: TimeWindow | null;
  find: string;
  /** Only steps with detections. */
  isOnlyDetections: boolean;
}

type Query = QueryOf<'trace'>;

/** Invalid parameters are ignored. */
export function readTraceAddress(query: Record<string, string | undefined>): TraceAddress {
  return {
    view: TRACE_VIEWS.find((view) => view === query.view) ?? 'tree',
    spanId: query.span ?? null,
    detectionId: query.finding ?? null,
    tab: DETAIL_TABS.find((tab) => tab === query.tab) ?? null,
    window: readWindow(query.t),
    find: query.find ?? '',
    isOnlyDetections: query.only === 'detections',
  };
}

export function traceQuery(address: TraceAddress): Query {
  return {
    ...(address.view === 'tree' ? {} : { view: address.view }),
    ...(address.spanId === null ? {} : { span: address.spanId }),
    ...(address.detectionId === null ? {} : { finding: address.detectionId }),
    ...(address.tab === null ? {} : { tab: address.tab }),
    ...(address.window === null ? {} : { t: `${Math.round(address.window.from)}-${Math.round(address.window.to)}` }),
    ...(address.find === '' ? {} : { find: address.find }),
    ...(address.isOnlyDetections ? { only: 'detections' } : {}),
  };
}

/** `1500-9000`: microseconds from the start of the trace. */
function readWindow(text = ''): TimeWindow | null {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (from === undefined || to === undefined || Number(from) >= Number(to)) return null;
  return { from: Number(from), to: Number(to) };
}
