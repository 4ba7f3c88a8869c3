import { createHash } from 'node:crypto';
import type { Integration } from '../../core/integration.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../../formats/misstep/attributes.ts';
import { groupByTrace } from '../ingest/trace-touch.ts';
import type { EventHub, StreamEventName } from './event-hub.ts';

/** Tells the streams of runs that came in; what was told before is not told again. */
export interface RunEvents {
  tell(tenantNo: number, integration: Integration, spans: readonly Span[], source: 'webhook' | 'sync'): void;
}

/** Runs whose last word is remembered. */
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
    tell(tenantNo, integration, spans, source) {
      for (const [traceId, group] of groupByTrace(spans)) {
        const key = `${tenantNo} ${traceId}`;
        const isKnown = told.has(key);
        if (!isNews(key, digestOf(group))) continue;
        const root = group.find((span) => span.parentSpanId === null);
        hub.publish(tenantNo, integration, eventOf(root, isKnown), dataOf(traceId, group, root, source));
      }
    },
  };
}

function eventOf(root: Span | undefined, isKnown: boolean): StreamEventName {
  if (root !== undefined && root.endNs !== null) return 'execution.finished';
  return isKnown || root === undefined ? 'execution.updated' : 'execution.started';
}

function dataOf(traceId: string, spans: readonly Span[], root: Span | undefined, source: string): JsonObject {
  const runId = root?.attributes[MISSTEP.recordId];
  return {
    trace_id: traceId,
    run_id: typeof runId === 'string' ? runId : null,
    name: root?.name ?? null,
    status: root === undefined || root.endNs === null ? 'running' : root.status.code === 2 ? 'error' : 'ok',
    span_count: spans.length,
    source,
  };
}

function digestOf(spans: readonly Span[]): string {
  const hash = createHash('sha256');
  for (const { spanId, name, endNs, status, attributes } of spans)
    hash.update(JSON.stringify([spanId, name, String(endNs), status, attributes]));
  return hash.digest('base64');
}
