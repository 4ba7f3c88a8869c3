import type { Attributes, AttributeValue } from '../../core/span.ts';

/**
 * OpenTelemetry's keys for the counts of dropped data in formats without counters (specification, "Mapping to non-OTLP
 * formats: dropped attributes, events and links count").
 */
export const DROPPED_ATTRIBUTES = 'otel.dropped_attributes_count';
export const DROPPED_EVENTS = 'otel.dropped_events_count';
export const DROPPED_LINKS = 'otel.dropped_links_count';

/** Sets an own member, also for names that plain assignment would set on the prototype. */
export function setMember(target: Attributes, key: string, value: AttributeValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

export function recordDropped(target: Attributes, key: string, count: number): void {
  if (count > 0) target[key] = count;
}

/** An integer in JSON: a number if that is exact, `{$int64}` otherwise. */
export function integerValue(value: bigint): AttributeValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : { $int64: value.toString() };
}

/** A double in JSON, which has no negative zero and no non-finite numbers. */
export function doubleValue(value: number): AttributeValue {
  if (!Number.isFinite(value)) return { $double: String(value) };
  return value === 0 ? 0 : value;
}

export function bytesValue(base64: string): AttributeValue {
  return { $bytes: base64 };
}

const TAGS = {
  $int64: (text: string) => /^-?\d{1,19}$/.test(text) && isInt64(BigInt(text)),
  $bytes: (text: string) => /^[A-Za-z0-9+/]*={0,2}$/.test(text),
  $double: (text: string) => ['NaN', 'Infinity', '-Infinity'].includes(text),
};

/** The text under a tag; undefined if the value is an ordinary map. */
export function taggedText(value: Attributes, tag: keyof typeof TAGS): string | undefined {
  const text = value[tag];
  if (typeof text !== 'string' || Object.keys(value).length !== 1) return undefined;
  return TAGS[tag](text) ? text : undefined;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}

/** The count stored by `recordDropped`, for the OTLP field; undefined if absent. */
export function droppedCount(attributes: Attributes, key: string): number | undefined {
  const count = attributes[key];
  return typeof count === 'number' && Number.isInteger(count) && count > 0 && count < 2 ** 32 ? count : undefined;
}

/** The attributes without the counts that OTLP writes into separate fields. */
export function withoutCounts(attributes: Attributes, counts: readonly string[]): Attributes {
  const moved = counts.filter((key) => droppedCount(attributes, key) !== undefined);
  if (moved.length === 0) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !moved.includes(key)));
}
