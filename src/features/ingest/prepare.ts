import { boundedFieldErrors } from '../../core/bounded-errors.ts';
import type { Decoded, Rejection, Span } from '../../core/span.ts';
import { isOfSession } from '../../formats/hooks/session-span.ts';
import { redactFieldError } from '../../formats/redaction/redact-message.ts';
import type { Redactor } from '../../formats/redaction/redactor.ts';
import { encodeChunk } from '../../store/span-chunk.ts';
import { type PreparedBatch, type PreparedChunk, toBatches } from './prepared-batch.ts';
import { groupByTrace, toTouch } from './trace-touch.ts';

/** A body in committable form. It is sent between threads as plain data. */
export interface PreparedBody<Facts = unknown> {
  batches: PreparedBatch[];
  /** In order of appearance. */
  traceIds: string[];
  acceptedSpans: number;
  rejectedSpans: number;
  /** The first hundred rejected records. */
  errors: Rejection[];
  /** What the decoder found besides spans. */
  facts: Facts;
}

/** Reads one kind of body. `name` identifies it on another thread, where `params` arrive as plain data. */
export interface BodyDecoder<Params, Facts> {
  name: string;
  /** JSON with more values and member names is decoded on a worker, regardless of its size in bytes. */
  maxInlineNodes?: number;
  /** @throws AppError `malformed`, `invalid_body`, `payload_too_large` */
  decode(body: Buffer, params: Params): Decoded & { facts: Facts };
  /** Derives the facts from the redacted spans. */
  complete?(facts: Facts, spans: readonly Span[]): Facts;
}

/** A chunk is one row, and writing one must not take long. */
const MAX_CHUNK_BYTES = 1024 * 1024;

export interface PrepareContext {
  redactor: Redactor;
  /** Identifies the tenant, in the same way for all calls of one redactor. */
  tenant: string;
  /** Unix milliseconds. */
  now: number;
}

export function prepareSpans<Facts>(
  { spans, rejections, facts }: Decoded & { facts: Facts },
  { redactor, tenant, now }: PrepareContext,
  complete?: BodyDecoder<never, Facts>['complete'],
): PreparedBody<Facts> {
  redactor.redactSpans(spans, tenant);
  const traces = groupByTrace(spans);
  return {
    batches: toBatches([...traces].flatMap(([traceId, group]) => packSpans(traceId, group, now))),
    traceIds: [...traces.keys()],
    acceptedSpans: spans.length,
    rejectedSpans: rejections.length,
    errors: boundedFieldErrors(rejections).map(redactFieldError),
    facts: complete?.(facts, spans) ?? facts,
  };
}

/** A large trace is split in halves until each part fits a row; equal spans are always split at the same places. */
export function packSpans(traceId: string, spans: readonly Span[], now: number): PreparedChunk[] {
  const chunk = encodeChunk(spans);
  if (chunk.data.length <= MAX_CHUNK_BYTES || spans.length === 1)
    return [{ chunk, touch: toTouch(traceId, spans, now), isOfSession: spans.some(isOfSession), held: null }];
  const half = Math.ceil(spans.length / 2);
  return [...packSpans(traceId, spans.slice(0, half), now), ...packSpans(traceId, spans.slice(half), now)];
}
