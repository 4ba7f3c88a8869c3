import type { Attributes, AttributeValue, Refusal, SpanScope } from '../../core/span.ts';

/** One OpenTelemetry log record (opentelemetry-proto `logs.proto` 1.x), as far as events of agents need it. */
export interface LogRecord {
  /** Unix time in nanoseconds; that of its observation where none was given, 0n where neither was. */
  timeNs: bigint;
  /** Empty if there was none given. */
  eventName: string;
  body: AttributeValue;
  attributes: Attributes;
  resource: Attributes;
  scope: SpanScope;
  /** Where it stood in the request, as an RFC 6901 pointer. */
  pointer: string;
}

export interface DecodedLogs {
  records: LogRecord[];
  refusals: Refusal[];
}
