import type { Attributes, Span, SpanEvent, SpanKind, SpanLink, SpanScope } from '../../core/span.ts';
import { DROPPED_EVENTS, DROPPED_LINKS, recordDropped } from './attributes.ts';
import { isAbsentId, readTextId } from './ids.ts';
import { isRecord, type JsonReading, readAttributes, readCount, readText, readTime } from './json-values.ts';
import { type Fault, ID_FAULT, NAME_FAULT, TIME_FAULT } from './limits.ts';

type Raw = Record<string, unknown>;

const SPAN_KINDS = [
  'SPAN_KIND_UNSPECIFIED',
  'SPAN_KIND_INTERNAL',
  'SPAN_KIND_SERVER',
  'SPAN_KIND_CLIENT',
  'SPAN_KIND_PRODUCER',
  'SPAN_KIND_CONSUMER',
];
const STATUS_CODES = ['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'];

/** Reads one span; only ids, name and times can make it unreadable. */
export function readSpan(reading: JsonReading, entry: Raw, resource: Attributes, scope: SpanScope): Span | Fault {
  const isSnake = entry.traceId === undefined && entry.trace_id !== undefined;
  const raw = isSnake ? camelKeys(entry) : entry;
  const { idLength } = reading.limits;

  const traceId = readTextId(raw.traceId, idLength);
  const spanFault = (field: string, message: string) => ({
    field: isSnake ? snakeKey(field) : field,
    message,
    ...(traceId === undefined ? {} : { traceId }),
  });
  if (traceId === undefined) return spanFault('traceId', ID_FAULT);
  const spanId = readTextId(raw.spanId, idLength);
  if (spanId === undefined) return spanFault('spanId', ID_FAULT);
  const parentSpanId = isAbsentId(raw.parentSpanId) ? null : readTextId(raw.parentSpanId, idLength);
  if (parentSpanId === undefined) return spanFault('parentSpanId', ID_FAULT);
  const name = readName(reading, raw.name);
  if (name === undefined) return spanFault('name', NAME_FAULT);
  const startNs = readTime(reading, raw.startTimeUnixNano);
  if (startNs === undefined) return spanFault('startTimeUnixNano', TIME_FAULT);
  const endNs = readTime(reading, raw.endTimeUnixNano);
  if (endNs === undefined) return spanFault('endTimeUnixNano', TIME_FAULT);

  const status = isRecord(raw.status) ? raw.status : NO_STATUS;
  const attributes = readAttributes(reading, raw.attributes, raw.droppedAttributesCount);
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: readEnum(raw.kind, SPAN_KINDS) as SpanKind,
    startNs,
    endNs: endNs === 0n ? null : endNs,
    status: { code: readEnum(status.code, STATUS_CODES) as 0 | 1 | 2, message: readMessage(reading, status.message) },
    attributes,
    events: readEvents(reading, raw, attributes, isSnake),
    links: readLinks(reading, raw, attributes, isSnake),
    resource,
    scope,
  };
}

const NO_STATUS: Raw = {};

function readEvents(reading: JsonReading, raw: Raw, attributes: Attributes, isSnake: boolean): SpanEvent[] {
  const { items, dropped } = readList(raw.events, reading.limits.eventsPerSpan, (entry) =>
    readEvent(reading, isSnake ? camelKeys(entry) : entry),
  );
  recordDropped(attributes, DROPPED_EVENTS, readCount(raw.droppedEventsCount) + dropped);
  return items;
}

function readEvent(reading: JsonReading, raw: Raw): SpanEvent | undefined {
  const name = readName(reading, raw.name);
  const timeNs = readTime(reading, raw.timeUnixNano);
  if (name === undefined || timeNs === undefined) return undefined;
  return { name, timeNs, attributes: readAttributes(reading, raw.attributes, raw.droppedAttributesCount) };
}

function readLinks(reading: JsonReading, raw: Raw, attributes: Attributes, isSnake: boolean): SpanLink[] {
  const { items, dropped } = readList(raw.links, reading.limits.linksPerSpan, (entry) =>
    readLink(reading, isSnake ? camelKeys(entry) : entry),
  );
  recordDropped(attributes, DROPPED_LINKS, readCount(raw.droppedLinksCount) + dropped);
  return items;
}

function readLink(reading: JsonReading, raw: Raw): SpanLink | undefined {
  const traceId = readTextId(raw.traceId, reading.limits.idLength);
  const spanId = readTextId(raw.spanId, reading.limits.idLength);
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, attributes: readAttributes(reading, raw.attributes, raw.droppedAttributesCount) };
}

function readList<T>(
  list: unknown,
  limit: number,
  read: (entry: Raw) => T | undefined,
): { items: T[]; dropped: number } {
  if (!Array.isArray(list)) return { items: [], dropped: 0 };
  const items: T[] = [];
  const end = Math.min(list.length, limit);
  for (let index = 0; index < end; index += 1) {
    const item = isRecord(list[index]) ? read(list[index]) : undefined;
    if (item !== undefined) items.push(item);
  }
  return { items, dropped: list.length - items.length };
}

/** Undefined if the value is not a text. */
export function readName(reading: JsonReading, raw: unknown): string | undefined {
  if (typeof raw === 'string') return readText(reading, raw, reading.limits.nameLength);
  return raw === undefined || raw === null ? '' : undefined;
}

function readMessage(reading: JsonReading, raw: unknown): string {
  return typeof raw === 'string' ? readText(reading, raw, reading.limits.valueLength) : '';
}

/** Position in `names` by number or by name; 0, "unspecified", for unknown values. */
function readEnum(raw: unknown, names: readonly string[]): number {
  if (typeof raw === 'string') return Math.max(0, names.indexOf(raw));
  return typeof raw === 'number' && Number.isInteger(raw) && raw > 0 && raw < names.length ? raw : 0;
}

function camelKeys(raw: Raw): Raw {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), value]),
  );
}

function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
