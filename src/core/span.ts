/**
 * One OpenTelemetry span, as every format decodes to it and as the store keeps it.
 * Source of the shape: opentelemetry-proto `trace.proto` 1.x.
 */
export interface Span {
  /** Lower-case hex as sent by OTLP; in other formats any non-empty text up to 128 characters. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: SpanKind;
  /** Unix time in nanoseconds; 0n if the sender did not report it. */
  startNs: bigint;
  /** Unix time in nanoseconds; null while the span has not ended. */
  endNs: bigint | null;
  status: SpanStatus;
  attributes: Attributes;
  events: SpanEvent[];
  links: SpanLink[];
  /** Resource attributes; spans of one resource share the object. */
  resource: Attributes;
  scope: SpanScope;
}

/** 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
export type SpanKind = 0 | 1 | 2 | 3 | 4 | 5;

/** 0 unset, 1 ok, 2 error; many senders leave success unset, so "not error" means success. */
export interface SpanStatus {
  code: 0 | 1 | 2;
  message: string;
}

export interface SpanEvent {
  name: string;
  timeNs: bigint;
  attributes: Attributes;
}

export interface SpanLink {
  traceId: string;
  spanId: string;
  attributes: Attributes;
}

export interface SpanScope {
  name: string;
  version: string;
}

export type Attributes = { [key: string]: AttributeValue };

/**
 * An OTLP AnyValue in a form that JSON can hold. What JSON numbers cannot hold exactly is tagged:
 * `{$int64: "1152921504606846976"}`, `{$bytes: "AQID/w=="}`, `{$double: "NaN" | "Infinity" | "-Infinity"}`.
 */
export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue };

/** A rejected record, with its position and the reason. Only this record is lost. */
export interface Rejection {
  /** RFC 6901 pointer into the body, or `line 12` for line-based input. */
  pointer: string;
  message: string;
}

/** Result of decoding a body: spans in order of arrival, and rejected records. */
export interface Decoded {
  spans: Span[];
  rejections: Rejection[];
}

/** Milliseconds since 1970 with fractions; exact to about a microsecond, for arithmetic and display. */
export function nsToMs(ns: bigint): number {
  return Number(ns / 1000n) / 1000;
}

export function msToNs(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
