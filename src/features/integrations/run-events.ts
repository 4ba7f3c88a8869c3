import { type Integration, integrationOfFramework } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import type { TraceTable } from '../../store/schema.ts';
import type { EventHub } from '../streams/event-hub.ts';
import type { StreamEventName } from '../streams/stream-event.ts';
import type { RunNotice } from './run-notice.ts';

/**
 * Publishes received runs. A run finishes once: later spans are an update, unless it continues after its
 * end; then it finishes once more.
 */
export interface RunEvents {
  /** A state that was already published is not published again. */
  publish(tenantNo: number, integration: Integration, runs: readonly RunNotice[], source: 'webhook' | 'sync'): void;
  /** Sessions without an end event that ended because they were idle. */
  finishIdle(tenantNo: number, traces: readonly TraceTable[]): void;
}

/** The last published state of the run. */
interface Published {
  digest: string;
  runId: string | null;
  /** End of the run that was published as finished; null while it runs. */
  finished: { endNs: bigint; status: string } | null;
}

/** Maximum runs whose newest event is remembered. */
const REMEMBERED = 10_000;

export function createRunEvents(hub: Pick<EventHub, 'publish'>): RunEvents {
  const published = new Map<string, Published>();

  function remember(key: string, run: Published): void {
    published.delete(key);
    published.set(key, run);
    if (published.size > REMEMBERED) published.delete(published.keys().next().value as string);
  }

  return {
    publish(tenantNo, integration, runs, source) {
      for (const { traceId, digest, spanCount, root } of runs) {
        const key = `${tenantNo} ${traceId}`;
        const known = published.get(key);
        if (known?.digest === digest) continue;
        const finished = finishedBy(root, known?.finished ?? null);
        const runId = root?.runId ?? known?.runId ?? null;
        remember(key, { digest, runId, finished });
        const status = finished?.status ?? 'running';
        const data = { trace_id: traceId, run_id: runId, name: root?.name ?? null, status, span_count: spanCount };
        hub.publish(tenantNo, integration, eventOf(root, known, finished), { ...data, source });
      }
    },
    finishIdle(tenantNo, traces) {
      for (const { trace_id: traceId, framework, name, status, span_count, ended_at } of traces) {
        const integration = integrationOfFramework(framework);
        const key = `${tenantNo} ${traceId}`;
        const known = published.get(key);
        if (integration === null || known?.finished) continue;
        const runId = known?.runId ?? null;
        const endNs = BigInt(ended_at ?? 0) * 1_000_000n;
        remember(key, { digest: known?.digest ?? '', runId, finished: { endNs, status } });
        const data: JsonObject = { trace_id: traceId, run_id: runId, name, status, span_count, source: 'webhook' };
        hub.publish(tenantNo, integration, 'execution.finished', data);
      }
    },
  };
}

/** The known end of a run after this notice; null while it runs. */
function finishedBy(root: RunNotice['root'], before: Published['finished']): Published['finished'] {
  if (root === null || (before !== null && root.newestNs <= before.endNs)) return before;
  return root.hasEnded ? { endNs: root.newestNs, status: root.isError ? 'error' : 'ok' } : null;
}

function eventOf(
  root: RunNotice['root'],
  known: Published | undefined,
  finished: Published['finished'],
): StreamEventName {
  const wasFinished = known !== undefined && known.finished !== null;
  if (finished !== null && !wasFinished) return 'execution.finished';
  return known !== undefined || root === null ? 'execution.updated' : 'execution.started';
}
