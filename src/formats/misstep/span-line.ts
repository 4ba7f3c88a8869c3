import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes, Span, SpanEvent, SpanKind, SpanLink, SpanScope, SpanStatus } from '../../core/span.ts';

/** Identifies our lines among other JSON. */
export const SPAN_LINE_FORMAT = 'misstep.span/1';
const MAX_ID_LENGTH = 128;
const MAX_NS = 18_446_744_073_709_551_615n;

/** One JSON text without line break; nanoseconds are strings, so that nothing is rounded. */
export function encodeSpanLine(span: Span): string {
  const { startNs, endNs, events, ...rest } = span;
  return JSON.stringify({
    format: SPAN_LINE_FORMAT,
    ...rest,
    startNs: startNs.toString(),
    endNs: endNs === null ? null : endNs.toString(),
    events: events.map(({ timeNs, ...event }) => ({ ...event, timeNs: timeNs.toString() })),
  });
}

export function isSpanLine(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && value.format === SPAN_LINE_FORMAT;
}

/** The span, or the reason why the line is invalid. Omitted members have OTLP's defaults. */
export function decodeSpanLine(line: Json): Span | { rejection: string } {
  if (!isJsonObject(line)) return { rejection: 'expected an object' };
  const { traceId, spanId } = line;
  if (!isId(traceId)) return { rejection: 'traceId must be a text of 1 to 128 characters' };
  if (!isId(spanId)) return { rejection: 'spanId must be a text of 1 to 128 characters' };
  const parentSpanId = line.parentSpanId ?? null;
  if (parentSpanId !== null && !isId(parentSpanId)) return { rejection: 'parentSpanId must be a text or null' };
  const startNs = nanoseconds(line.startNs ?? '0');
  const endNs = line.endNs == null ? null : nanoseconds(line.endNs);
  if (startNs === undefined || endNs === undefined) return { rejection: 'startNs and endNs must be decimal texts' };
  return {
    traceId,
    spanId,
    parentSpanId,
    name: textOr(line.name, ''),
    kind: kindOf(line.kind),
    startNs,
    endNs,
    status: statusOf(line.status),
    attributes: attributesOf(line.attributes),
    events: listOf(line.events).flatMap(eventOf),
    links: listOf(line.links).flatMap(linkOf),
    resource: attributesOf(line.resource),
    scope: scopeOf(line.scope),
  };
}

function isId(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH;
}

/** Unsigned 64 bits as decimal text; `undefined` for anything else. */
function nanoseconds(value: Json): bigint | undefined {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return undefined;
  const ns = BigInt(value);
  return ns <= MAX_NS ? ns : undefined;
}

function kindOf(value: Json | undefined): SpanKind {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 5 ? (value as SpanKind) : 0;
}

function statusOf(value: Json | undefined): SpanStatus {
  if (!isJsonObject(value)) return { code: 0, message: '' };
  const code = value.code === 1 || value.code === 2 ? value.code : 0;
  return { code, message: textOr(value.message, '') };
}

function eventOf(value: Json): SpanEvent[] {
  if (!isJsonObject(value) || typeof value.name !== 'string') return [];
  const timeNs = nanoseconds(value.timeNs ?? '0') ?? 0n;
  return [{ name: value.name, timeNs, attributes: attributesOf(value.attributes) }];
}

function linkOf(value: Json): SpanLink[] {
  if (!isJsonObject(value) || !isId(value.traceId) || !isId(value.spanId)) return [];
  return [{ traceId: value.traceId, spanId: value.spanId, attributes: attributesOf(value.attributes) }];
}

function scopeOf(value: Json | undefined): SpanScope {
  if (!isJsonObject(value)) return { name: '', version: '' };
  return { name: textOr(value.name, ''), version: textOr(value.version, '') };
}

function attributesOf(value: Json | undefined): Attributes {
  return isJsonObject(value) ? value : {};
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function textOr(value: Json | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
