import { createHash } from 'node:crypto';
import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../../formats/misstep/attributes.ts';
import { isOpenSession } from '../../formats/openclaw/session-span.ts';
import { groupByTrace } from '../ingest/trace-touch.ts';

/** Event data of one run. Plain data, so that a worker can create it. */
export interface RunNotice {
  traceId: string;
  spanCount: number;
  /** Changes with the run. */
  digest: string;
  /** Null if the root span is not known. */
  root: {
    name: string;
    runId: string | null;
    hasEnded: boolean;
    isError: boolean;
    /** Its end, or its beginning if it has no end; Unix nanoseconds. */
    newestNs: bigint;
  } | null;
}

/** @param spans redacted, because streams show their names */
export function toRunNotices(spans: readonly Span[]): RunNotice[] {
  return [...groupByTrace(spans)].map(([traceId, group]) => ({
    traceId,
    spanCount: group.length,
    digest: digestOf(group),
    root: toRoot(group.find((span) => span.parentSpanId === null)),
  }));
}

function toRoot(root: Span | undefined): RunNotice['root'] {
  if (root === undefined) return null;
  const runId = root.attributes[MISSTEP.recordId];
  return {
    name: root.name,
    runId: typeof runId === 'string' ? runId : null,
    hasEnded: root.endNs !== null && !isOpenSession(root),
    newestNs: root.endNs ?? root.startNs,
    isError: root.status.code === 2,
  };
}

function digestOf(spans: readonly Span[]): string {
  const hash = createHash('sha256');
  for (const { spanId, name, endNs, status, attributes } of spans)
    hash.update(JSON.stringify([spanId, name, String(endNs), status, attributes]));
  return hash.digest('base64');
}
