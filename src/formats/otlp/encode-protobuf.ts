import { createHash } from 'node:crypto';
import type { Attributes, AttributeValue, Span, SpanEvent, SpanLink } from '../../core/span.ts';
import {
  DROPPED_ATTRIBUTES,
  DROPPED_EVENTS,
  DROPPED_LINKS,
  droppedCount,
  taggedText,
  withoutCounts,
} from './attributes.ts';
import { groupSpans } from './groups.ts';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from './protobuf-span.ts';
import { WireWriter } from './wire-writer.ts';

/**
 * Encodes spans as a protobuf `ExportTraceServiceRequest`; `decodeOtlpProtobuf` returns the same spans. Ids that are not
 * hex of 16 and 8 bytes, which protobuf cannot represent, become the start of their SHA-256.
 */
export function encodeOtlpProtobuf(spans: readonly Span[]): Buffer {
  const wire = new WireWriter();
  for (const { resource, scopes } of groupSpans(spans)) {
    wire.message(1, () => {
      wire.message(1, () => {
        writeAttributes(wire, 1, resource, [DROPPED_ATTRIBUTES]);
        writeCount(wire, 2, resource, DROPPED_ATTRIBUTES);
      });
      for (const { scope, spans: members } of scopes) {
        wire.message(2, () => {
          wire.message(1, () => {
            writeText(wire, 1, scope.name);
            writeText(wire, 2, scope.version);
          });
          for (const span of members) wire.message(2, () => writeSpan(wire, span));
        });
      }
    });
  }
  return wire.finish();
}

function writeSpan(wire: WireWriter, span: Span): void {
  wire.content(1, idBytes(span.traceId, TRACE_ID_BYTES));
  wire.content(2, idBytes(span.spanId, SPAN_ID_BYTES));
  if (span.parentSpanId !== null) wire.content(4, idBytes(span.parentSpanId, SPAN_ID_BYTES));
  writeText(wire, 5, span.name);
  if (span.kind !== 0) wire.varint(6, span.kind);
  wire.fixed64(7, span.startNs);
  if (span.endNs !== null) wire.fixed64(8, span.endNs);
  writeAttributes(wire, 9, span.attributes, [DROPPED_ATTRIBUTES, DROPPED_EVENTS, DROPPED_LINKS]);
  writeCount(wire, 10, span.attributes, DROPPED_ATTRIBUTES);
  for (const event of span.events) wire.message(11, () => writeEvent(wire, event));
  writeCount(wire, 12, span.attributes, DROPPED_EVENTS);
  for (const link of span.links) wire.message(13, () => writeLink(wire, link));
  writeCount(wire, 14, span.attributes, DROPPED_LINKS);
  wire.message(15, () => {
    writeText(wire, 2, span.status.message);
    if (span.status.code !== 0) wire.varint(3, span.status.code);
  });
}

function writeEvent(wire: WireWriter, event: SpanEvent): void {
  wire.fixed64(1, event.timeNs);
  writeText(wire, 2, event.name);
  writeAttributes(wire, 3, event.attributes, [DROPPED_ATTRIBUTES]);
  writeCount(wire, 4, event.attributes, DROPPED_ATTRIBUTES);
}

function writeLink(wire: WireWriter, link: SpanLink): void {
  wire.content(1, idBytes(link.traceId, TRACE_ID_BYTES));
  wire.content(2, idBytes(link.spanId, SPAN_ID_BYTES));
  writeAttributes(wire, 4, link.attributes, [DROPPED_ATTRIBUTES]);
  writeCount(wire, 5, link.attributes, DROPPED_ATTRIBUTES);
}

function writeText(wire: WireWriter, field: number, text: string): void {
  if (text !== '') wire.text(field, text);
}

function writeCount(wire: WireWriter, field: number, attributes: Attributes, key: string): void {
  const count = droppedCount(attributes, key);
  if (count !== undefined) wire.varint(field, count);
}

function writeAttributes(wire: WireWriter, field: number, attributes: Attributes, counts: readonly string[]): void {
  for (const [key, value] of Object.entries(withoutCounts(attributes, counts))) {
    wire.message(field, () => writeMember(wire, key, value));
  }
}

function writeMember(wire: WireWriter, key: string, value: AttributeValue): void {
  wire.text(1, key);
  wire.message(2, () => writeValue(wire, value));
}

function writeValue(wire: WireWriter, value: AttributeValue): void {
  if (value === null) return;
  if (typeof value === 'string') wire.text(1, value);
  else if (typeof value === 'boolean') wire.varint(2, value ? 1 : 0);
  else if (typeof value === 'number') writeNumber(wire, value);
  else if (Array.isArray(value)) {
    wire.message(5, () => {
      for (const element of value) wire.message(1, () => writeValue(wire, element));
    });
  } else writeTaggedOrMap(wire, value);
}

function writeNumber(wire: WireWriter, value: number): void {
  if (Number.isSafeInteger(value)) wire.varint(3, value);
  else wire.double(4, value);
}

function writeTaggedOrMap(wire: WireWriter, value: Attributes): void {
  const int64 = taggedText(value, '$int64');
  const bytes = taggedText(value, '$bytes');
  const double = taggedText(value, '$double');
  if (int64 !== undefined) wire.varint(3, BigInt(int64));
  else if (bytes !== undefined) wire.content(7, Buffer.from(bytes, 'base64'));
  else if (double !== undefined) wire.double(4, Number(double));
  else {
    wire.message(6, () => {
      for (const [key, member] of Object.entries(value)) wire.message(1, () => writeMember(wire, key, member));
    });
  }
}

function idBytes(id: string, length: number): Uint8Array {
  if (id.length === length * 2 && !/[^0-9a-fA-F]/.test(id)) return Buffer.from(id, 'hex');
  return createHash('sha256').update(id).digest().subarray(0, length);
}
