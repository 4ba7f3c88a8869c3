import type { Attributes, AttributeValue } from '../../core/span.ts';
import { bytesValue, DROPPED_ATTRIBUTES, doubleValue, integerValue, recordDropped, setMember } from './attributes.ts';
import { COUNT_MARKER, cutText, DEPTH_MARKER, type OtlpLimits } from './limits.ts';
import type { WireReader } from './wire-reader.ts';

/** State of reading one body. */
export interface ProtobufReading {
  wire: WireReader;
  limits: OtlpLimits;
  /** Remaining number of elements and members for the current span. */
  nestedLeft: number;
}

/** Attributes under construction: entries arrive one by one, between other fields of their message. */
export interface AttributeList {
  attributes: Attributes;
  seen: number;
  dropped: number;
}

export function newAttributeList(): AttributeList {
  return { attributes: {}, seen: 0, dropped: 0 };
}

/** Reads one KeyValue into the list; an entry without a key or beyond the limit is dropped and counted. */
export function readAttribute(reading: ProtobufReading, list: AttributeList, tag: number): void {
  list.seen += 1;
  if (list.seen > reading.limits.attributesPerSpan) {
    reading.wire.skip(tag);
    list.dropped += 1;
  } else if (!readMember(reading, list.attributes, 0)) list.dropped += 1;
}

export function finishAttributes(list: AttributeList): Attributes {
  recordDropped(list.attributes, DROPPED_ATTRIBUTES, list.dropped);
  return list.attributes;
}

export function readName(reading: ProtobufReading): string {
  return cutText(reading.wire.text(), reading.limits.nameLength);
}

export function readLongText(reading: ProtobufReading): string {
  return cutText(reading.wire.text(), reading.limits.valueLength);
}

const KEY = 0x0a;
const VALUE = 0x12;

function readMember(reading: ProtobufReading, target: Attributes, depth: number): boolean {
  const { wire } = reading;
  const outer = wire.enter();
  let key = '';
  let value: AttributeValue = null;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === KEY) key = readName(reading);
    else if (tag === VALUE) value = readValue(reading, depth);
    else wire.skip(tag);
  }
  wire.leave(outer);
  if (key === '') return false;
  setMember(target, key, value);
  return true;
}

const STRING = 0x0a;
const BOOL = 0x10;
const INT = 0x18;
const DOUBLE = 0x21;
const ARRAY = 0x2a;
const MAP = 0x32;
const BYTES = 0x3a;

/** One AnyValue; an empty one is null, and of several kinds the last one is used. */
export function readValue(reading: ProtobufReading, depth: number): AttributeValue {
  const { wire } = reading;
  const outer = wire.enter();
  let value: AttributeValue = null;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === STRING) value = readLongText(reading);
    else if (tag === INT) value = readInteger(wire);
    else if (tag === DOUBLE) value = doubleValue(wire.double());
    else if (tag === BOOL) value = wire.int64() !== 0;
    else if (tag === ARRAY) value = readNested(reading, tag, depth, readArray);
    else if (tag === MAP) value = readNested(reading, tag, depth, readMap);
    else if (tag === BYTES) value = readBytes(reading);
    else wire.skip(tag);
  }
  wire.leave(outer);
  return value;
}

function readInteger(wire: WireReader): AttributeValue {
  const value = wire.int64();
  return typeof value === 'number' ? value : integerValue(value);
}

function readBytes(reading: ProtobufReading): AttributeValue {
  const base64 = reading.wire.base64();
  if (base64.length > reading.limits.valueLength) return `[truncated: ${base64.length} characters of base64]`;
  return bytesValue(base64);
}

type NestedReader = (reading: ProtobufReading, depth: number) => AttributeValue;

function readNested(reading: ProtobufReading, tag: number, depth: number, read: NestedReader): AttributeValue {
  if (depth >= reading.limits.depth) {
    reading.wire.skip(tag);
    return DEPTH_MARKER;
  }
  const outer = reading.wire.enter();
  const value = read(reading, depth + 1);
  reading.wire.leave(outer);
  return value;
}

const VALUES = 0x0a;

function readArray(reading: ProtobufReading, depth: number): AttributeValue {
  const { wire } = reading;
  const elements: AttributeValue[] = [];
  let isFull = false;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === VALUES && reading.nestedLeft > 0) {
      reading.nestedLeft -= 1;
      elements.push(readValue(reading, depth));
    } else {
      wire.skip(tag);
      isFull ||= tag === VALUES;
    }
  }
  if (isFull) elements.push(COUNT_MARKER);
  return elements;
}

function readMap(reading: ProtobufReading, depth: number): AttributeValue {
  const { wire } = reading;
  const members: Attributes = {};
  let dropped = 0;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag !== VALUES) wire.skip(tag);
    else if (reading.nestedLeft <= 0) {
      wire.skip(tag);
      dropped += 1;
    } else {
      reading.nestedLeft -= 1;
      if (!readMember(reading, members, depth)) dropped += 1;
    }
  }
  recordDropped(members, DROPPED_ATTRIBUTES, dropped);
  return members;
}
