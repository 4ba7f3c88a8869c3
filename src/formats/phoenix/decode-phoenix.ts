import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes, Decoded, Span, SpanEvent, SpanStatus } from '../../core/span.ts';
import { readTimestampNs } from '../trail/iso-time.ts';

const ATTRIBUTES = 'attributes.';
const MAX_ID = 128;
const MAX_DEPTH = 16;

/** Whether a value looks like a span from Phoenix: from its API, or a row of its table of spans. */
export function isPhoenixSpan(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value) || !('start_time' in value)) return false;
  return contextOf(value) !== null;
}

/** One OpenInference span of Phoenix. Nested attributes get the dotted keys that instrumentation sends. */
export function decodePhoenixSpan(value: Json): Decoded {
  const span = isPhoenixSpan(value) ? readSpan(value) : 'expected a span with a context';
  if (typeof span === 'string') return { spans: [], rejections: [{ pointer: '', message: span }] };
  return { spans: [span], rejections: [] };
}

function contextOf(value: JsonObject): { traceId: string; spanId: string } | null {
  const context = isJsonObject(value.context) ? value.context : {};
  const traceId = textOf(context.trace_id ?? value['context.trace_id']);
  const spanId = textOf(context.span_id ?? value['context.span_id']);
  return traceId === null || spanId === null ? null : { traceId, spanId };
}

function readSpan(value: JsonObject): Span | string {
  const context = contextOf(value)!;
  if (context.traceId.length > MAX_ID || context.spanId.length > MAX_ID) return 'ids may have 128 characters';
  const startNs = timeNs(value.start_time);
  if (startNs === null) return 'start_time must be an RFC 3339 time or Unix milliseconds';
  const endNs = timeNs(value.end_time);
  const kind = textOf(value.span_kind);
  return {
    traceId: context.traceId.toLowerCase(),
    spanId: context.spanId.toLowerCase(),
    parentSpanId: textOf(value.parent_id)?.toLowerCase() ?? null,
    name: textOf(value.name) ?? '',
    kind: 1,
    startNs,
    endNs: endNs === null || endNs < startNs ? startNs : endNs,
    status: statusOf(value),
    attributes: { ...attributesOf(value), ...(kind === null ? {} : { 'openinference.span.kind': kind.toUpperCase() }) },
    events: (Array.isArray(value.events) ? value.events : []).flatMap(eventOf),
    links: [],
    resource: {},
    scope: { name: 'openinference', version: '' },
  };
}

function attributesOf(value: JsonObject): Attributes {
  const attributes: Attributes = {};
  if (isJsonObject(value.attributes)) flatten(value.attributes, '', attributes, 0);
  for (const [key, item] of Object.entries(value)) {
    if (key.startsWith(ATTRIBUTES) && item !== null) flattenOne(item, key.slice(ATTRIBUTES.length), attributes, 0);
  }
  return attributes;
}

function flatten(value: JsonObject | Json[], prefix: string, into: Attributes, depth: number): void {
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, item] of entries) flattenOne(item, prefix === '' ? String(key) : `${prefix}.${key}`, into, depth);
}

function flattenOne(item: Json, key: string, into: Attributes, depth: number): void {
  const isDeep = isJsonObject(item) || (Array.isArray(item) && item.some(isJsonObject));
  if (item === null) return;
  if (!isDeep) into[key] = item;
  // OpenInference sends intentionally nested values as text.
  else if (depth >= MAX_DEPTH || key === 'metadata') into[key] = JSON.stringify(item);
  else flatten(item as JsonObject | Json[], key, into, depth + 1);
}

function statusOf(value: JsonObject): SpanStatus {
  const word = (textOf(value.status_code) ?? '').toUpperCase();
  if (word === 'ERROR') return { code: 2, message: textOf(value.status_message) ?? '' };
  return { code: word === 'OK' ? 1 : 0, message: '' };
}

function eventOf(value: Json): SpanEvent[] {
  if (!isJsonObject(value) || typeof value.name !== 'string') return [];
  const attributes: Attributes = {};
  if (isJsonObject(value.attributes)) flatten(value.attributes, '', attributes, 0);
  return [{ name: value.name, timeNs: timeNs(value.timestamp) ?? 0n, attributes }];
}

/** Tables contain times as text or, from pandas, as Unix milliseconds. */
function timeNs(value: Json | undefined): bigint | null {
  if (typeof value === 'number' && value > 0 && value < 1e14) return BigInt(Math.round(value)) * 1_000_000n;
  return typeof value === 'string' ? readTimestampNs(value.replace(' ', 'T')) : null;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
