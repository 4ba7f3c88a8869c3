import type { Decoded } from '../../core/span.ts';
import { type RejectedOfTrace, withRejections } from '../misstep/rejected-records.ts';
import { OTLP_LIMITS, type OtlpLimits, tooManySpans } from './limits.ts';
import { readRecords } from './protobuf-records.ts';
import { readSpan } from './protobuf-span.ts';

const SCOPE_SPANS = 0x12;
/** Field 1000, `instrumentation_library_spans` of opentelemetry-proto before 0.15; its fields 1 and 2 are the same. */
const LIBRARY_SPANS = (1000 << 3) | 2;

const NESTING = { resources: 'resourceSpans', scopes: 'scopeSpans', scopeTags: [SCOPE_SPANS, LIBRARY_SPANS] };

/**
 * Reads an `ExportTraceServiceRequest` in protobuf (opentelemetry-proto 1.x, field numbers of `trace.proto`). Rejections,
 * limits and pointers are those of `decodeOtlpJson`; ids must be 16 and 8 bytes. Fields that are unknown or of another wire
 * type are skipped.
 * @throws AppError `malformed` if the bytes are not protobuf, `payload_too_large` for more spans than allowed.
 */
export function decodeOtlpProtobuf(body: Uint8Array, limits: OtlpLimits = OTLP_LIMITS): Decoded {
  const decoded: Decoded = { spans: [], rejections: [] };
  const rejected: RejectedOfTrace[] = [];
  readRecords(body, limits, NESTING, (reading, { resource, scope, pointer, index }) => {
    if (decoded.spans.length + decoded.rejections.length >= limits.spans) throw tooManySpans(limits);
    reading.nestedLeft = limits.nestedValues;
    const read = readSpan(reading, resource, scope);
    if (!('field' in read)) {
      decoded.spans.push(read);
      return;
    }
    decoded.rejections.push({ pointer: `${pointer}/spans/${index}/${read.field}`, message: read.message });
    if (read.traceId !== undefined) rejected.push({ traceId: read.traceId, spansBefore: decoded.spans.length });
  });
  return rejected.length === 0 ? decoded : { ...decoded, spans: withRejections(decoded.spans, rejected) };
}
