import type { Span } from '../../core/span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { executionOf, isNodeSpan, isTestSpan, nodeStep, workflowStep } from './otel-step.ts';
import { isErrorRun, SpanTraces } from './span-traces.ts';

/** A received workflow span: spans held for it belong to its trace. */
export interface Claim {
  heldTraceId: string;
  traceId: string;
}

export interface N8nSpans {
  spans: Span[];
  claims: Claim[];
  /** Traces of spans whose workflow span has not been received. */
  heldTraceIds: string[];
}

/** Attributes of a marker; senders cannot set them. */
const CLAIMED_BY = 'n8n.held.trace_id';
/** Whether that trace is also a held one. */
const IS_STILL_HELD = 'n8n.held.is_still_held';

/**
 * Spans of n8n's own OpenTelemetry (`N8N_OTEL_ENABLED`) move into the trace of their execution, which also contains the
 * reports of n8n's API and webhooks. Only the workflow span names the execution, and n8n sends it last: with `isHolding`,
 * earlier spans wait in a hidden trace; otherwise they stay in the trace they were sent with. Runs of error workflows are
 * part of the failed run. Spans of other programs move with the n8n node above them, or stay.
 */
export function n8nSpans(sent: readonly Span[], isHolding: boolean): N8nSpans {
  const spans = sent.map(withoutMarks);
  if (!spans.some((span) => executionOf(span) !== null || isNodeSpan(span) || isTestSpan(span)))
    return { spans, claims: [], heldTraceIds: [] };
  const homes = new SpanTraces(spans, isHolding);
  const read = spans.map((span) => toStep(span, homes));
  const claims = isHolding
    ? homes.workflows().map(({ span, heldTraceId }) => ({ span, heldTraceId, traceId: homes.of(span)! }))
    : [];
  return {
    spans: [...read, ...claims.map(({ span, ...claim }) => toMarker(span, claim, homes.held.has(claim.traceId)))],
    claims: claims.map(({ heldTraceId, traceId }) => ({ heldTraceId, traceId })),
    heldTraceIds: [...homes.held],
  };
}

function withoutMarks(span: Span): Span {
  if (span.attributes[CLAIMED_BY] === undefined && span.attributes[IS_STILL_HELD] === undefined) return span;
  const { [CLAIMED_BY]: _by, [IS_STILL_HELD]: _held, ...attributes } = span.attributes;
  return { ...span, attributes };
}

function toStep(span: Span, homes: SpanTraces): Span {
  if (isTestSpan(span)) return toHidden(span);
  const traceId = homes.of(span);
  if (traceId === null) return span;
  const key = executionOf(span);
  const step = key !== null ? workflowStep(span, key) : isNodeSpan(span) ? nodeStep(span) : span;
  const placed = { ...step, traceId, ...(key === null ? {} : parentOf(span, homes)) };
  return homes.held.has(traceId) ? toHidden(placed) : placed;
}

/** An execution that a caller or another workflow started is a separate run, with a link to its starter. */
function parentOf(span: Span, homes: SpanTraces): Partial<Span> {
  const { parentSpanId, links } = span;
  if (parentSpanId === null || isErrorRun(span)) return {};
  const starter = homes.parentOf(span);
  const target = starter === undefined ? null : homes.of(starter);
  const kind = target === null ? 'caller' : 'parent_execution';
  const link = { traceId: target ?? span.traceId, spanId: parentSpanId, attributes: { 'n8n.link': kind } };
  return { parentSpanId: null, links: [...links, link] };
}

function toHidden(span: Span): Span {
  return { ...span, attributes: { ...span.attributes, [MISSTEP.isBookkeeping]: true } };
}

/** The trace of the marker that names the target of a held trace; the marker is its only span. */
export function markerTraceId(heldTraceId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'n8n-otel-marker', heldTraceId);
}

/** Spans may arrive after their workflow span: nodes that were cut off, an error workflow, bodies that arrive out of order. */
function toMarker(span: Span, { heldTraceId, traceId }: Claim, isStillHeld: boolean): Span {
  const marker = {
    ...span,
    traceId: markerTraceId(heldTraceId),
    spanId: derivedId(SPAN_ID_DIGITS, heldTraceId),
    parentSpanId: null,
    name: 'n8n.held',
    status: { code: 0, message: '' } as const,
    attributes: { [CLAIMED_BY]: traceId, [IS_STILL_HELD]: isStillHeld },
    events: [],
    links: [],
  };
  return toHidden(marker);
}

/** The trace that spans belong to, which may itself be a held one. */
export interface TraceTarget {
  traceId: string;
  isHeld: boolean;
}

/** The content of a marker; null if no body has named the trace yet. */
export function targetOf(marker: readonly Span[]): TraceTarget | null {
  for (const { attributes } of marker) {
    const traceId = attributes[CLAIMED_BY];
    if (typeof traceId === 'string') return { traceId, isHeld: attributes[IS_STILL_HELD] === true };
  }
  return null;
}

/** The spans of a held trace, moved to their target. */
export function releasedSpans(held: readonly Span[], { traceId, isHeld }: TraceTarget): Span[] {
  return held.map((span) => {
    const { [MISSTEP.isBookkeeping]: _, ...attributes } = span.attributes;
    const released = { ...span, traceId, attributes };
    return isHeld ? toHidden(released) : released;
  });
}
