import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes, Decoded, Rejection, Span, SpanEvent, SpanKind, SpanStatus } from '../../core/span.ts';
import { readDurationNs, readTimestampNs } from './iso-time.ts';

/** Whether a value looks like a trace of the TRAIL benchmark: a tree of spans under `child_spans`. */
export function isTrailTrace(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value.spans)) return false;
  const first = value.spans[0];
  return isJsonObject(first) && 'span_id' in first && ('child_spans' in first || 'span_attributes' in first);
}

/**
 * One TRAIL trace: nested spans of OpenInference instrumentation with ISO times. An unreadable span only affects itself;
 * its children stay and name it as their parent. `logs` are omitted because the harness wrote answer keys into them.
 */
export function decodeTrail(value: Json): Decoded {
  if (!isTrailTrace(value))
    return { spans: [], rejections: [{ pointer: '', message: 'expected an object with spans' }] };
  const decoded: Decoded = { spans: [], rejections: [] };
  const open: { value: Json; pointer: string; parentSpanId: string | null }[] = [];
  const openAll = (values: Json | undefined, pointer: string, parentSpanId: string | null) => {
    const list = Array.isArray(values) ? values : [];
    for (let at = list.length - 1; at >= 0; at -= 1)
      open.push({ value: list[at]!, pointer: `${pointer}/${at}`, parentSpanId });
  };
  openAll(value.spans, '/spans', null);
  // A stack instead of recursion, so that deep nesting cannot exhaust the call stack.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const span = readSpan(next.value, textOr(value.trace_id, ''), next.parentSpanId);
    if ('message' in span) decoded.rejections.push({ pointer: next.pointer, message: span.message });
    else decoded.spans.push(span);
    if (!isJsonObject(next.value)) continue;
    openAll(next.value.child_spans, `${next.pointer}/child_spans`, textOr(next.value.span_id, '') || next.parentSpanId);
  }
  return decoded;
}

function readSpan(value: Json, traceOfFile: string, parentInTree: string | null): Span | Pick<Rejection, 'message'> {
  if (!isJsonObject(value)) return { message: 'expected an object' };
  const traceId = textOr(value.trace_id, '') || traceOfFile;
  const spanId = textOr(value.span_id, '');
  if (traceId === '' || traceId.length > 128) return { message: 'trace_id must be a text of 1 to 128 characters' };
  if (spanId === '' || spanId.length > 128) return { message: 'span_id must be a text of 1 to 128 characters' };
  const startNs = readTimestampNs(textOr(value.timestamp, ''));
  const durationNs = readDurationNs(textOr(value.duration, ''));
  if (startNs === null) return { message: 'timestamp must be an RFC 3339 time' };
  return {
    traceId: traceId.toLowerCase(),
    spanId: spanId.toLowerCase(),
    parentSpanId: (textOr(value.parent_span_id, '') || parentInTree)?.toLowerCase() ?? null,
    name: textOr(value.span_name, ''),
    kind: readKind(value.span_kind),
    startNs,
    endNs: durationNs === null ? null : startNs + durationNs,
    status: readStatus(value),
    attributes: readAttributes(value.span_attributes),
    events: (Array.isArray(value.events) ? value.events : []).flatMap(readEvent),
    links: [],
    resource: readResource(value),
    scope: { name: textOr(value.scope_name, ''), version: textOr(value.scope_version, '') },
  };
}

const KINDS: readonly string[] = ['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'];

function readKind(value: Json | undefined): SpanKind {
  return Math.max(KINDS.indexOf(textOr(value, '')), 0) as SpanKind;
}

function readStatus(value: JsonObject): SpanStatus {
  const code = ({ Ok: 1, Error: 2 } as const)[textOr(value.status_code, '')] ?? 0;
  return { code, message: textOr(value.status_message, '') };
}

function readEvent(value: Json): SpanEvent[] {
  if (!isJsonObject(value)) return [];
  const name = textOr(value.Name, textOr(value.name, ''));
  const timeNs = readTimestampNs(textOr(value.Timestamp, textOr(value.timestamp, ''))) ?? 0n;
  return [{ name, timeNs, attributes: readAttributes(value.Attributes ?? value.attributes) }];
}

function readResource(value: JsonObject): Attributes {
  const resource = readAttributes(value.resource_attributes);
  const service = textOr(value.service_name, '');
  return service === '' || 'service.name' in resource ? resource : { ...resource, 'service.name': service };
}

function readAttributes(value: Json | undefined): Attributes {
  return isJsonObject(value) ? value : {};
}

function textOr(value: Json | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
