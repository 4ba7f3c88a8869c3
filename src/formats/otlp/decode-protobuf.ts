import type { Attributes, Decoded, SpanScope } from '../../core/span.ts';
import { OTLP_LIMITS, type OtlpLimits, tooManySpans } from './limits.ts';
import { readSpan } from './protobuf-span.ts';
import {
  finishAttributes,
  newAttributeList,
  type ProtobufReading,
  readAttribute,
  readName,
} from './protobuf-values.ts';
import { WireReader } from './wire-reader.ts';

const RESOURCE_SPANS = 0x0a;

/**
 * Reads an `ExportTraceServiceRequest` in protobuf (opentelemetry-proto 1.x, field numbers of `trace.proto`).
 * Refusals and limits are those of `decodeOtlpJson`, pointers too; ids must be 16 and 8 bytes. Fields unknown or of
 * another wire type are skipped.
 *
 * @throws AppError `malformed` where the bytes are no protobuf, `payload_too_large` for more spans than allowed.
 */
export function decodeOtlpProtobuf(body: Uint8Array, limits: OtlpLimits = OTLP_LIMITS): Decoded {
  const reading: ProtobufReading = { wire: new WireReader(body), limits, nestedLeft: 0 };
  const decoded: Decoded = { spans: [], refusals: [] };
  let index = 0;
  for (let tag = reading.wire.tag(); tag !== 0; tag = reading.wire.tag()) {
    if (tag === RESOURCE_SPANS) {
      readResourceSpans(reading, `/resourceSpans/${index}`, decoded);
      index += 1;
    } else reading.wire.skip(tag);
  }
  return decoded;
}

const RESOURCE = 0x0a;
const SCOPE_SPANS = 0x12;
/** Field 1000, `instrumentation_library_spans` of opentelemetry-proto before 0.15; its fields 1 and 2 are the same. */
const LIBRARY_SPANS = (1000 << 3) | 2;

/** The resource may come after its spans on the wire, so they share an object that is filled when it comes. */
function readResourceSpans(reading: ProtobufReading, pointer: string, decoded: Decoded): void {
  const { wire } = reading;
  const outer = wire.enter();
  const list = newAttributeList();
  let index = 0;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === RESOURCE) readResource(reading, list);
    else if (tag === SCOPE_SPANS || tag === LIBRARY_SPANS) {
      readScopeSpans(reading, list.attributes, `${pointer}/scopeSpans/${index}`, decoded);
      index += 1;
    } else wire.skip(tag);
  }
  wire.leave(outer);
  finishAttributes(list);
}

const RESOURCE_ATTRIBUTES = 0x0a;
const RESOURCE_DROPPED = 0x10;

export function readResource(reading: ProtobufReading, list: ReturnType<typeof newAttributeList>): void {
  const { wire, limits } = reading;
  const outer = wire.enter();
  reading.nestedLeft = limits.nestedValues;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === RESOURCE_ATTRIBUTES) readAttribute(reading, list, tag);
    else if (tag === RESOURCE_DROPPED) list.dropped += wire.uint32();
    else wire.skip(tag);
  }
  wire.leave(outer);
}

const SCOPE = 0x0a;
const SPANS = 0x12;

function readScopeSpans(reading: ProtobufReading, resource: Attributes, pointer: string, decoded: Decoded): void {
  const { wire, limits } = reading;
  const outer = wire.enter();
  const scope: SpanScope = { name: '', version: '' };
  let index = 0;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === SCOPE) readScope(reading, scope);
    else if (tag === SPANS) {
      if (decoded.spans.length + decoded.refusals.length >= limits.spans) throw tooManySpans(limits);
      reading.nestedLeft = limits.nestedValues;
      const read = readSpan(reading, resource, scope);
      if ('field' in read) {
        decoded.refusals.push({ pointer: `${pointer}/spans/${index}/${read.field}`, message: read.message });
      } else decoded.spans.push(read);
      index += 1;
    } else wire.skip(tag);
  }
  wire.leave(outer);
}

const SCOPE_NAME = 0x0a;
const SCOPE_VERSION = 0x12;

export function readScope(reading: ProtobufReading, scope: SpanScope): void {
  const { wire } = reading;
  const outer = wire.enter();
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === SCOPE_NAME) scope.name = readName(reading);
    else if (tag === SCOPE_VERSION) scope.version = readName(reading);
    else wire.skip(tag);
  }
  wire.leave(outer);
}
