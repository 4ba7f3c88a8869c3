import type { Attributes, AttributeValue } from '../../core/span.ts';
import {
  bytesValue,
  DROPPED_ATTRIBUTES,
  doubleValue,
  integerValue,
  isInt64,
  recordDropped,
  setMember,
} from './attributes.ts';
import { COUNT_MARKER, cutText, DEPTH_MARKER, type OtlpLimits } from './limits.ts';

/** State of reading one body. */
export interface JsonReading {
  limits: OtlpLimits;
  /** Whether the body may contain lone surrogates. */
  hasLoneSurrogates: boolean;
  /** Set if the body contains a number that the JSON parser may have rounded. */
  sawInexact: boolean;
  /** Remaining number of elements and members for the current span. */
  nestedLeft: number;
}

type Raw = Record<string, unknown>;

export function isRecord(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Well-formed text, at most `limit` long. */
export function readText(reading: JsonReading, text: string, limit: number): string {
  if (!reading.hasLoneSurrogates) return text.length > limit ? cutText(text, limit) : text;
  return cutText(text.toWellFormed(), limit);
}

/** Attributes by key; of equal keys the last one is used. Unreadable entries are dropped and counted. */
export function readAttributes(reading: JsonReading, list: unknown, droppedBySender: unknown): Attributes {
  const attributes: Attributes = {};
  let dropped = readCount(droppedBySender);
  if (Array.isArray(list)) {
    const end = Math.min(list.length, reading.limits.attributesPerSpan);
    dropped += list.length - end;
    for (let index = 0; index < end; index += 1) {
      if (!readMember(reading, attributes, list[index], 0)) dropped += 1;
    }
  } else if (list !== undefined && list !== null) dropped += 1;
  recordDropped(attributes, DROPPED_ATTRIBUTES, dropped);
  return attributes;
}

function readMember(reading: JsonReading, target: Attributes, entry: unknown, depth: number): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { key, value } = entry as Raw;
  if (typeof key !== 'string' || key === '') return false;
  const read = readValue(reading, value, depth);
  if (read === undefined) return false;
  setMember(target, readText(reading, key, reading.limits.nameLength), read);
  return true;
}

/** One AnyValue; undefined if it cannot be read. */
function readValue(reading: JsonReading, value: unknown, depth: number): AttributeValue | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const any = value as Raw;
  if (typeof any.stringValue === 'string') return readText(reading, any.stringValue, reading.limits.valueLength);
  if (any.intValue !== undefined) return readInteger(reading, any.intValue);
  if (any.doubleValue !== undefined) return readDouble(any.doubleValue);
  if (any.boolValue !== undefined) return readBoolean(any.boolValue);
  if (any.arrayValue !== undefined) return readNested(reading, any.arrayValue, depth, readArray);
  if (any.kvlistValue !== undefined) return readNested(reading, any.kvlistValue, depth, readMap);
  if (any.bytesValue !== undefined) return readBytes(reading, any.bytesValue);
  return readRareValue(reading, any, depth);
}

const CAMEL_CASE: Record<string, string> = {
  string_value: 'stringValue',
  int_value: 'intValue',
  double_value: 'doubleValue',
  bool_value: 'boolValue',
  array_value: 'arrayValue',
  kvlist_value: 'kvlistValue',
  bytes_value: 'bytesValue',
};

function readRareValue(reading: JsonReading, any: Raw, depth: number): AttributeValue | undefined {
  if (any.stringValue !== undefined) return any.stringValue === null ? null : undefined;
  const snake = Object.keys(any).find((key) => key in CAMEL_CASE);
  return snake === undefined ? null : readValue(reading, { [CAMEL_CASE[snake]!]: any[snake] }, depth);
}

function readInteger(reading: JsonReading, raw: unknown): AttributeValue | undefined {
  if (typeof raw === 'number') {
    if (Number.isSafeInteger(raw)) return raw === 0 ? 0 : raw;
    if (!Number.isInteger(raw)) return raw;
    reading.sawInexact = true;
    return readInteger(reading, BigInt(raw).toString());
  }
  if (raw === null) return null;
  if (typeof raw !== 'string' || !/^-?\d{1,20}$/.test(raw)) return undefined;
  const value = BigInt(raw);
  return isInt64(value) ? integerValue(value) : undefined;
}

/** JavaScript senders write NaN and both infinities as `null`, so null only means "no finite number". */
function readDouble(raw: unknown): AttributeValue | undefined {
  if (typeof raw === 'number') return doubleValue(raw);
  if (raw === null) return null;
  if (typeof raw !== 'string' || raw.trim() === '') return undefined;
  const value = Number(raw);
  return Number.isNaN(value) && raw !== 'NaN' ? undefined : doubleValue(value);
}

function readBoolean(raw: unknown): AttributeValue | undefined {
  if (typeof raw === 'boolean' || raw === null) return raw;
  if (raw === 'true') return true;
  return raw === 'false' ? false : undefined;
}

function readBytes(reading: JsonReading, raw: unknown): AttributeValue | undefined {
  if (raw === null) return null;
  if (typeof raw !== 'string' || !/^[\w+/-]*={0,2}$/.test(raw)) return undefined;
  if (raw.length > reading.limits.valueLength) return `[truncated: ${raw.length} characters of base64]`;
  return bytesValue(Buffer.from(raw, 'base64').toString('base64'));
}

type NestedReader = (reading: JsonReading, values: unknown[], depth: number) => AttributeValue;

function readNested(reading: JsonReading, raw: unknown, depth: number, read: NestedReader): AttributeValue | undefined {
  if (depth >= reading.limits.depth) return DEPTH_MARKER;
  if (raw === null) return null;
  if (!isRecord(raw)) return undefined;
  if (raw.values !== undefined && raw.values !== null && !Array.isArray(raw.values)) return undefined;
  return read(reading, raw.values ?? [], depth + 1);
}

function readArray(reading: JsonReading, values: unknown[], depth: number): AttributeValue {
  const elements: AttributeValue[] = [];
  for (const value of values) {
    if (reading.nestedLeft <= 0) {
      elements.push(COUNT_MARKER);
      break;
    }
    reading.nestedLeft -= 1;
    elements.push(readValue(reading, value, depth) ?? null);
  }
  return elements;
}

function readMap(reading: JsonReading, values: unknown[], depth: number): AttributeValue {
  const members: Attributes = {};
  let dropped = 0;
  for (const value of values) {
    reading.nestedLeft -= 1;
    if (reading.nestedLeft < 0 || !readMember(reading, members, value, depth)) dropped += 1;
  }
  recordDropped(members, DROPPED_ATTRIBUTES, dropped);
  return members;
}

/**
 * Unix nanoseconds from a decimal text or a number; 0n if absent. Undefined if it is not a time, or exceeds a signed 64-bit
 * column (year 2262).
 */
export function readTime(reading: JsonReading, raw: unknown): bigint | undefined {
  if (typeof raw === 'string') {
    if (raw === '') return 0n;
    return /^\d{1,19}$/.test(raw) ? storableTime(BigInt(raw)) : undefined;
  }
  if (raw === undefined || raw === null) return 0n;
  if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < 0) return undefined;
  if (raw > Number.MAX_SAFE_INTEGER) reading.sawInexact = true;
  return storableTime(BigInt(raw));
}

export function storableTime(value: bigint): bigint | undefined {
  return isInt64(value) ? value : undefined;
}

/** A sender's own count of dropped data; invalid values count as 0. */
export function readCount(raw: unknown): number {
  const count = Number(raw ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
