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
import { detectionsKey } from '../feedback/judge-detection.ts';

export interface TraceQueries {
  trace: ReadonlySignal<QueryState<Trace>>;
  outline: ReadonlySignal<QueryState<TraceOutline>>;
  detections: ReadonlySignal<QueryState<Detection[]>>;
}

const MAX_DETECTIONS = 1_000;

/** The three parts of a trace that the page needs at once; texts of a step are loaded when the step is selected. */
export function useTrace(traceId: string): TraceQueries {
  const address = () => ({ tenant_id: tenantId.value!, trace_id: traceId });
  useLiveTrace(traceId);
  return {
    trace: useQuery<Trace>(
      `trace:${traceId}:summary`,
      withRetries((signal) => server.traces.get({ ...address(), include: 'none' }, { signal })),
    ),
    outline: useQuery<TraceOutline>(
      `trace:${traceId}:outline`,
      withRetries((signal) => server.traces.outline(address(), { signal })),
    ),
    detections: useQuery<Detection[]>(
      detectionsKey(traceId),
      withRetries((signal) => readDetections(address(), signal)),
    ),
  };
}

/** Observations too: they are weak signals, and have a mark in the tree. */
async function readDetections(
  address: { tenant_id: string; trace_id: string },
  signal: AbortSignal,
): Promise<Detection[]> {
  const found: Detection[] = [];
  const request = { ...address, min_severity: 'observation', page_size: 200 } as const;
  for await (const detection of eachItem(server.detections.list, request, { signal })) {
    found.push(detection);
    if (found.length === MAX_DETECTIONS) break;
  }
  return found;
}

/** A growing trace is read again at most this often. */
const EVERY_MS = 1_000;

/** Reads the trace again when the server says that it has changed. */
function useLiveTrace(traceId: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancel = () => {};
    let isDue = false;
    const refresh = () => {
      isDue = false;
      const parts = ['summary', 'outline', 'detections', 'states'];
      void queries.invalidate(...parts.map((part) => `trace:${traceId}:${part}`));
    };
    // After a gap of the stream, all queries are read again elsewhere.
    const stop = onLive(({ data }) => {
      if (data.trace_id !== traceId || isDue) return;
      isDue = true;
      timer = setTimeout(() => {
        cancel = whenVisible(refresh);
      }, EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
      cancel();
    };
  }, [traceId]);
}
