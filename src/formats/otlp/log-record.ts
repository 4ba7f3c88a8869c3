import type { Attributes, AttributeValue, Rejection, SpanScope } from '../../core/span.ts';

/** One OpenTelemetry log record (opentelemetry-proto `logs.proto` 1.x): the fields that agent events need. */
export interface LogRecord {
  /** Unix time in nanoseconds; the observed time if none was sent, 0n if neither was sent. */
  timeNs: bigint;
  /** Empty if none was sent. */
  eventName: string;
  body: AttributeValue;
  attributes: Attributes;
  resource: Attributes;
  scope: SpanScope;
  /** Position in the request, as an RFC 6901 pointer. */
  pointer: string;
}

export interface DecodedLogs {
  records: LogRecord[];
  rejections: Rejection[];
}
