import type { Attributes, Span, SpanEvent, SpanKind, SpanLink, SpanScope } from '../../core/span.ts';
import { DROPPED_EVENTS, DROPPED_LINKS, isInt64, recordDropped } from './attributes.ts';
import { BYTES_ID_FAULT, type Fault, TIME_FAULT } from './limits.ts';
import {
  finishAttributes,
  newAttributeList,
  type ProtobufReading,
  readAttribute,
  readLongText,
  readName,
} from './protobuf-values.ts';

export const TRACE_ID_BYTES = 16;
export const SPAN_ID_BYTES = 8;

const TRACE_ID = 0x0a;
const SPAN_ID = 0x12;
const PARENT_SPAN_ID = 0x22;
const NAME = 0x2a;
const KIND = 0x30;
const START_TIME = 0x39;
const END_TIME = 0x41;
const ATTRIBUTES = 0x4a;
const DROPPED_ATTRIBUTES_COUNT = 0x50;
const EVENTS = 0x5a;
const DROPPED_EVENTS_COUNT = 0x60;
const LINKS = 0x6a;
const DROPPED_LINKS_COUNT = 0x70;
const STATUS = 0x7a;

/** Reads one span; only ids and times can make it unreadable. */
export function readSpan(reading: ProtobufReading, resource: Attributes, scope: SpanScope): Span | Fault {
  const { wire, limits } = reading;
  const outer = wire.enter();
  const list = newAttributeList();
  const events: SpanEvent[] = [];
  const links: SpanLink[] = [];
  let traceId: string | null | undefined = null;
  let spanId: string | null | undefined = null;
  let parentSpanId: string | null | undefined = null;
  let name = '';
  let kind = 0;
  let startNs = 0n;
  let endNs = 0n;
  let status: Span['status'] = { code: 0, message: '' };
  let droppedEvents = 0;
  let droppedLinks = 0;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    switch (tag) {
      case TRACE_ID:
        traceId = wire.id(TRACE_ID_BYTES);
        break;
      case SPAN_ID:
        spanId = wire.id(SPAN_ID_BYTES);
        break;
      case PARENT_SPAN_ID:
        parentSpanId = wire.id(SPAN_ID_BYTES);
        break;
      case NAME:
        name = readName(reading);
        break;
      case KIND:
        kind = wire.uint32();
        break;
      case START_TIME:
        startNs = wire.fixed64();
        break;
      case END_TIME:
        endNs = wire.fixed64();
        break;
      case ATTRIBUTES:
        readAttribute(reading, list, tag);
        break;
      case DROPPED_ATTRIBUTES_COUNT:
        list.dropped += wire.uint32();
        break;
      case EVENTS:
        if (!readInto(events, limits.eventsPerSpan, reading, tag, readEvent)) droppedEvents += 1;
        break;
      case DROPPED_EVENTS_COUNT:
        droppedEvents += wire.uint32();
        break;
      case LINKS:
        if (!readInto(links, limits.linksPerSpan, reading, tag, readLink)) droppedLinks += 1;
        break;
      case DROPPED_LINKS_COUNT:
        droppedLinks += wire.uint32();
        break;
      case STATUS:
        status = readStatus(reading);
        break;
      default:
        wire.skip(tag);
    }
  }
  wire.leave(outer);
  if (!traceId) return { field: 'traceId', message: BYTES_ID_FAULT };
  if (!spanId) return { field: 'spanId', message: BYTES_ID_FAULT, traceId };
  if (parentSpanId === undefined) return { field: 'parentSpanId', message: BYTES_ID_FAULT, traceId };
  if (!isInt64(startNs)) return { field: 'startTimeUnixNano', message: TIME_FAULT, traceId };
  if (!isInt64(endNs)) return { field: 'endTimeUnixNano', message: TIME_FAULT, traceId };
  const attributes = finishAttributes(list);
  recordDropped(attributes, DROPPED_EVENTS, droppedEvents);
  recordDropped(attributes, DROPPED_LINKS, droppedLinks);
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: (kind <= 5 ? kind : 0) as SpanKind,
    startNs,
    endNs: endNs === 0n ? null : endNs,
    status,
    attributes,
    events,
    links,
    resource,
    scope,
  };
}

/** False if the item exceeds the limit or is unreadable. */
function readInto<T>(
  items: T[],
  limit: number,
  reading: ProtobufReading,
  tag: number,
  read: (reading: ProtobufReading) => T | undefined,
): boolean {
  if (items.length >= limit) {
    reading.wire.skip(tag);
    return false;
  }
  const item = read(reading);
  if (item === undefined) return false;
  items.push(item);
  return true;
}

const EVENT_TIME = 0x09;
const EVENT_NAME = 0x12;
const EVENT_ATTRIBUTES = 0x1a;
const EVENT_DROPPED = 0x20;

function readEvent(reading: ProtobufReading): SpanEvent | undefined {
  const { wire } = reading;
  const outer = wire.enter();
  const list = newAttributeList();
  let name = '';
  let timeNs = 0n;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === EVENT_TIME) timeNs = wire.fixed64();
    else if (tag === EVENT_NAME) name = readName(reading);
    else if (tag === EVENT_ATTRIBUTES) readAttribute(reading, list, tag);
    else if (tag === EVENT_DROPPED) list.dropped += wire.uint32();
    else wire.skip(tag);
  }
  wire.leave(outer);
  return isInt64(timeNs) ? { name, timeNs, attributes: finishAttributes(list) } : undefined;
}

const LINK_TRACE_ID = 0x0a;
const LINK_SPAN_ID = 0x12;
const LINK_ATTRIBUTES = 0x22;
const LINK_DROPPED = 0x28;

function readLink(reading: ProtobufReading): SpanLink | undefined {
  const { wire } = reading;
  const outer = wire.enter();
  const list = newAttributeList();
  let traceId: string | null | undefined;
  let spanId: string | null | undefined;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === LINK_TRACE_ID) traceId = wire.id(TRACE_ID_BYTES);
    else if (tag === LINK_SPAN_ID) spanId = wire.id(SPAN_ID_BYTES);
    else if (tag === LINK_ATTRIBUTES) readAttribute(reading, list, tag);
    else if (tag === LINK_DROPPED) list.dropped += wire.uint32();
    else wire.skip(tag);
  }
  wire.leave(outer);
  return traceId && spanId ? { traceId, spanId, attributes: finishAttributes(list) } : undefined;
}

const STATUS_MESSAGE = 0x12;
const STATUS_CODE = 0x18;

function readStatus(reading: ProtobufReading): Span['status'] {
  const { wire } = reading;
  const outer = wire.enter();
  let code = 0;
  let message = '';
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === STATUS_MESSAGE) message = readLongText(reading);
    else if (tag === STATUS_CODE) code = wire.uint32();
    else wire.skip(tag);
  }
  wire.leave(outer);
  return { code: (code <= 2 ? code : 0) as 0 | 1 | 2, message };
}
