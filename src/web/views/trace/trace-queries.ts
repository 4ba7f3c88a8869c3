import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Detection, Trace, TraceOutline } from '../../../client/misstep-client.generated.ts';
import { eachItem } from '../../../client/misstep-client.generated.ts';
import { onLive } from '../../data/live.ts';
import { queries, useQuery } from '../../data/queries.ts';
import type { QueryState } from '../../data/query-cache.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { whenVisible } from '../../data/when-visible.ts';
import { withRetries } from '../../data/with-retries.ts';
import { detectionsKey } from '../feedback/submit-feedback.ts';

export interface TraceQueries {
  trace: ReadonlySignal<QueryState<Trace>>;
  outline: ReadonlySignal<QueryState<TraceOutline>>;
  detections: ReadonlySignal<QueryState<Detection[]>>;
}

const MAX_DETECTIONS = 1_000;

/** The three parts of a trace that the page needs at once; texts of a step are loaded when the step is selected. */
export function useTrace(traceId: string): TraceQueries {
  const traceKey = () => ({ tenant_id: tenantId.value!, trace_id: traceId });
  useLiveTrace(traceId);
  return {
    trace: useQuery<Trace>(
      `trace:${traceId}:summary`,
      withRetries((signal) => server.traces.get({ ...traceKey(), include: 'none' }, { signal })),
    ),
    outline: useQuery<TraceOutline>(
      `trace:${traceId}:outline`,
      withRetries((signal) => server.traces.outline(traceKey(), { signal })),
    ),
    detections: useQuery<Detection[]>(
      detectionsKey(traceId),
      withRetries((signal) => readDetections(traceKey(), signal)),
    ),
  };
}

/** Includes observations, which are marked in the tree. */
async function readDetections(
  traceKey: { tenant_id: string; trace_id: string },
  signal: AbortSignal,
): Promise<Detection[]> {
  const detections: Detection[] = [];
  const request = { ...traceKey, min_severity: 'observation', page_size: 200 } as const;
  for await (const detection of eachItem(server.detections.list, request, { signal })) {
    detections.push(detection);
    if (detections.length === MAX_DETECTIONS) break;
  }
  return detections;
}

/** A running trace is refetched at most this often. */
const MIN_INTERVAL_MS = 1_000;

/** Refetches the trace when a live event reports a change. */
function useLiveTrace(traceId: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancel = () => {};
    let isScheduled = false;
    const refresh = () => {
      isScheduled = false;
      const parts = ['summary', 'outline', 'detections', 'states'];
      void queries.invalidate(...parts.map((part) => `trace:${traceId}:${part}`));
    };
    // After a gap in the event stream, `refreshOnLiveEvents` refetches all queries.
    const stop = onLive(({ data }) => {
      if (data.trace_id !== traceId || isScheduled) return;
      isScheduled = true;
      timer = setTimeout(() => {
        cancel = whenVisible(refresh);
      }, MIN_INTERVAL_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      cancel();
    };
  }, [traceId]);
}
