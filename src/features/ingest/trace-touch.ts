import { mergeSpans } from '../../core/merge-spans.ts';
import { nsToMs, type Span } from '../../core/span.ts';
import { storableText } from '../../core/storable-text.ts';
import { serviceOfResource } from '../../formats/conventions/service-of-resource.ts';
import { MISSTEP } from '../../formats/misstep/attributes.ts';
import { isOpenSession } from '../../formats/openclaw/session-span.ts';
import type { TraceTouch } from '../../store/trace.store.ts';

/** Spans by trace, each list in order of arrival; duplicates within the request are merged. */
export function groupByTrace(spans: readonly Span[]): Map<string, Span[]> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) {
    const trace = traces.get(span.traceId);
    if (trace) trace.push(span);
    else traces.set(span.traceId, [span]);
  }
  for (const [traceId, trace] of traces) if (hasDuplicates(trace)) traces.set(traceId, mergeSpans(trace));
  return traces;
}

function hasDuplicates(spans: readonly Span[]): boolean {
  return new Set(spans.map((span) => span.spanId)).size !== spans.length;
}

/** The part of a touch that is known before its spans have an arrival order. */
export type PlainTouch = Omit<TraceTouch, 'tenantNo' | 'sequence' | 'isHistory'> & {
  /** The root is a session that may continue. */
  isOpenSession: boolean;
};

/** Facts about one trace from the spans of one request, before the whole is analyzed. */
export function toTouch(traceId: string, spans: readonly Span[], now: number): PlainTouch {
  const root = spans.find((span) => span.parentSpanId === null);
  const serviceName = spans.map(({ resource }) => serviceOfResource(resource)).find((name) => name !== null) ?? null;
  let startNs: bigint | null = null;
  let endNs: bigint | null = null;
  for (const span of spans) {
    if (span.startNs > 0n && (startNs === null || span.startNs < startNs)) startNs = span.startNs;
    // An end without a known time is 0.
    if (span.endNs !== null && span.endNs > (endNs ?? 0n)) endNs = span.endNs;
  }
  return {
    traceId,
    name: storableText(root?.name || (spans[0]?.name ?? '')),
    // An update may identify the root at most by its id.
    isRootSeen: root !== undefined && root.attributes[MISSTEP.spanPart] !== 'update',
    hasRootEnded: root !== undefined && hasEnded(root) && !isOpenSession(root),
    isOpenSession: root !== undefined && isOpenSession(root),
    serviceName: serviceName === null ? null : storableText(serviceName),
    startedAt: startNs === null ? now : Math.floor(nsToMs(startNs)),
    endedAt: endNs === null ? null : Math.ceil(nsToMs(endNs)),
    newSpans: spans.length,
    isBookkeeping: spans.every(({ attributes }) => attributes[MISSTEP.isBookkeeping] === true),
  };
}

function hasEnded({ endNs, attributes }: Span): boolean {
  return endNs !== null && attributes[MISSTEP.isEndAssumed] !== true;
}

/** Merges touches of one trace, so that a statement meets each row once; the later one determines the version. */
export function mergeTouches(touches: readonly TraceTouch[]): TraceTouch[] {
  const merged = new Map<string, TraceTouch>();
  for (const touch of touches) {
    const key = `${touch.tenantNo} ${touch.traceId}`;
    const before = merged.get(key);
    merged.set(key, before ? join(before, touch) : touch);
  }
  return [...merged.values()];
}

function join(earlier: TraceTouch, later: TraceTouch): TraceTouch {
  return {
    ...later,
    name: later.isRootSeen || !earlier.isRootSeen ? later.name : earlier.name,
    isRootSeen: earlier.isRootSeen || later.isRootSeen,
    hasRootEnded: earlier.hasRootEnded || later.hasRootEnded,
    serviceName: later.serviceName ?? earlier.serviceName,
    startedAt: Math.min(earlier.startedAt, later.startedAt),
    endedAt:
      earlier.endedAt === null || later.endedAt === null
        ? (later.endedAt ?? earlier.endedAt)
        : Math.max(earlier.endedAt, later.endedAt),
    newSpans: earlier.newSpans + later.newSpans,
    isHistory: earlier.isHistory && later.isHistory,
    isBookkeeping: earlier.isBookkeeping && later.isBookkeeping,
  };
}
