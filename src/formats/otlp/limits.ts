import { AppError } from '../../core/app-error.ts';

/** Limits for one request, span and value. Data beyond a limit only affects itself, except for `spans` and `jsonNodes`. */
export interface OtlpLimits {
  /** Spans in one request; more reject the request as too large. */
  spans: number;
  /** Objects and arrays in one JSON body; more reject the request before it is parsed. */
  jsonNodes: number;
  attributesPerSpan: number;
  eventsPerSpan: number;
  linksPerSpan: number;
  /** UTF-16 units of one text value. */
  valueLength: number;
  /** UTF-16 units of a span, event or scope name and of an attribute key. */
  nameLength: number;
  idLength: number;
  /** Nesting depth of arrays and maps. */
  depth: number;
  /** Elements and members in all values of one span. */
  nestedValues: number;
}

export const OTLP_LIMITS: OtlpLimits = {
  spans: 250_000,
  jsonNodes: 8_000_000,
  attributesPerSpan: 1024,
  eventsPerSpan: 1024,
  linksPerSpan: 1024,
  valueLength: 1_048_576,
  nameLength: 4096,
  idLength: 128,
  depth: 64,
  nestedValues: 65_536,
};

/** Placeholder for values nested deeper than `depth` or beyond `nestedValues`. */
export const DEPTH_MARKER = '[truncated: nested too deep]';
export const COUNT_MARKER = '[truncated: too many values]';

/** The text, cut so that it fits into `limit` with its marker; cutting again changes nothing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const marker = `[truncated: ${text.length} characters]`;
  const kept = text.slice(0, Math.max(0, limit - marker.length));
  return kept.isWellFormed() ? kept + marker : kept.slice(0, -1) + marker;
}

/** Why a span is rejected: the field as the sender spelt it, and its required form. */
export interface Fault {
  /** The trace of the span; omitted if its id is unreadable. */
  traceId?: string;
  field: string;
  message: string;
}

export const ID_FAULT = 'must be a non-empty id of at most 128 characters, not all zeros';
export const BYTES_ID_FAULT = 'must have 16 bytes in a trace id and 8 in a span id, not all zeros';
export const NAME_FAULT = 'must be text';
export const TIME_FAULT = 'must be Unix nanoseconds from 0 to 9223372036854775807';

export function tooManySpans(limits: OtlpLimits): AppError {
  return new AppError('payload_too_large', `A request may hold at most ${limits.spans} spans.`);
}

export function tooManyRecords(limits: OtlpLimits): AppError {
  return new AppError('payload_too_large', `A request may hold at most ${limits.spans} log records.`);
}
