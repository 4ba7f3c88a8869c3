import type { Json } from '../../core/json.ts';
import { msToNs, nsToMs, type Span, type SpanStatus } from '../../core/span.ts';
import type { StepKind } from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from '../misstep/derived-id.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';

export function openClawTraceId(sessionId: string): string {
  return derivedId(TRACE_ID_DIGITS, 'openclaw', sessionId);
}

export function sessionSpanId(sessionId: string, ...parts: string[]): string {
  return derivedId(SPAN_ID_DIGITS, 'openclaw', sessionId, ...parts);
}

const SCOPE_NAME = 'misstep.openclaw';
const ENDED_AT = 'openclaw.session.ended_at';

/** Marks a session's root span as ended by the sender, at the span's end time. */
export function markEnded(root: Span): void {
  if (root.endNs !== null) root.attributes[ENDED_AT] = nsToMs(root.endNs);
}

/**
 * Whether a span is the root of a session that may continue. The end of such a root is only the time of its newest event,
 * unless the sender reported the end of the session.
 */
export function isOpenSession({ scope, parentSpanId, endNs, attributes }: Span): boolean {
  if (scope.name !== SCOPE_NAME || parentSpanId !== null) return false;
  const endedAt = attributes[ENDED_AT];
  return endNs === null || typeof endedAt !== 'number' || endedAt < nsToMs(endNs);
}

export interface SpanParts {
  spanId: string;
  kind: StepKind;
  name: string;
  /** Unix milliseconds; null if this record lacks it. */
  startMs: number | null;
  endMs: number | null;
  isRoot?: boolean;
  status?: SpanStatus;
}

/** @param attributes null values are omitted */
export function makeSpan(sessionId: string, parts: SpanParts, attributes: Record<string, Json>): Span {
  return {
    traceId: openClawTraceId(sessionId),
    spanId: parts.spanId,
    parentSpanId: parts.isRoot ? null : sessionSpanId(sessionId),
    name: parts.name,
    kind: 1,
    startNs: parts.startMs === null ? 0n : msToNs(parts.startMs),
    endNs: parts.endMs === null ? null : msToNs(parts.endMs),
    status: parts.status ?? { code: 0, message: '' },
    attributes: withoutNulls({ [MISSTEP.stepKind]: parts.kind, [MISSTEP.framework]: 'openclaw', ...attributes }),
    events: [],
    links: [],
    resource: {},
    scope: { name: SCOPE_NAME, version: '1' },
  };
}
