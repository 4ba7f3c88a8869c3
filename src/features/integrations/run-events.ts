import type { Integration } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import type { EventHub, StreamEventName } from './event-hub.ts';
import type { RunNotice } from './run-notice.ts';

/** Tells the streams of runs that came in; what was told before is not told again. */
export interface RunEvents {
  tell(tenantNo: number, integration: Integration, runs: readonly RunNotice[], source: 'webhook' | 'sync'): void;
}

/** Runs whose last digest is remembered. */
const REMEMBERED = 10_000;

export function createRunEvents(hub: Pick<EventHub, 'publish'>): RunEvents {
  const told = new Map<string, string>();

  function isNews(key: string, digest: string): boolean {
    if (told.get(key) === digest) return false;
    told.delete(key);
    told.set(key, digest);
    if (told.size > REMEMBERED) told.delete(told.keys().next().value as string);
    return true;
  }

  return {
    tell(tenantNo, integration, runs, source) {
      for (const run of runs) {
        const key = `${tenantNo} ${run.traceId}`;
        const isKnown = told.has(key);
        if (isNews(key, run.digest)) hub.publish(tenantNo, integration, eventOf(run, isKnown), dataOf(run, source));
      }
    },
  };
}

function eventOf({ root }: RunNotice, isKnown: boolean): StreamEventName {
  if (root?.hasEnded) return 'execution.finished';
  return isKnown || root === null ? 'execution.updated' : 'execution.started';
}

function dataOf({ traceId, spanCount, root }: RunNotice, source: string): JsonObject {
  return {
    trace_id: traceId,
    run_id: root?.runId ?? null,
    name: root?.name ?? null,
    status: !root?.hasEnded ? 'running' : root.isError ? 'error' : 'ok',
    span_count: spanCount,
    source,
  };
}
