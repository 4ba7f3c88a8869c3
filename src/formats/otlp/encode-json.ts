import type { Attributes, AttributeValue, Span, SpanEvent, SpanLink } from '../../core/span.ts';
import {
  DROPPED_ATTRIBUTES,
  DROPPED_EVENTS,
  DROPPED_LINKS,
  droppedCount,
  taggedText,
  withoutCounts,
} from './attributes.ts';
import { groupSpans } from './groups.ts';

/** Encodes spans as an OTLP/JSON `ExportTraceServiceRequest`; `decodeOtlpJson` returns the same spans. */
export function encodeOtlpJson(spans: readonly Span[]): string {
  const resourceSpans = groupSpans(spans).map(({ resource, scopes }) => ({
    resource: attributesOf(resource, [DROPPED_ATTRIBUTES]),
    scopeSpans: scopes.map(({ scope, spans: members }) => ({ scope, spans: members.map(spanOf) })),
  }));
  return JSON.stringify({ resourceSpans });
}

function spanOf(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? undefined,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: span.startNs.toString(),
    endTimeUnixNano: span.endNs?.toString(),
    ...attributesOf(span.attributes, [DROPPED_ATTRIBUTES, DROPPED_EVENTS, DROPPED_LINKS]),
    events: span.events.map(eventOf),
    droppedEventsCount: droppedCount(span.attributes, DROPPED_EVENTS),
    links: span.links.map(linkOf),
    droppedLinksCount: droppedCount(span.attributes, DROPPED_LINKS),
    status: { code: span.status.code, message: span.status.message || undefined },
  };
}

function eventOf(event: SpanEvent): object {
  return {
    name: event.name,
    timeUnixNano: event.timeNs.toString(),
    ...attributesOf(event.attributes, [DROPPED_ATTRIBUTES]),
  };
}

function linkOf(link: SpanLink): object {
  return { traceId: link.traceId, spanId: link.spanId, ...attributesOf(link.attributes, [DROPPED_ATTRIBUTES]) };
}

function attributesOf(attributes: Attributes, counts: readonly string[]): object {
  return {
    attributes: keyValues(withoutCounts(attributes, counts)),
    droppedAttributesCount: droppedCount(attributes, DROPPED_ATTRIBUTES),
  };
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: AttributeValue): object {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  const int64 = taggedText(value, '$int64');
  if (int64 !== undefined) return { intValue: int64 };
  const bytes = taggedText(value, '$bytes');
  if (bytes !== undefined) return { bytesValue: bytes };
  const double = taggedText(value, '$double');
  if (double !== undefined) return { doubleValue: double };
  return { kvlistValue: { values: keyValues(value) } };
}
