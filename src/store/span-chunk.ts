import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { mergeSpans } from '../core/merge-spans.ts';
import type { Attributes, AttributeValue, Span, SpanEvent, SpanKind, SpanLink, SpanScope } from '../core/span.ts';
import { CHUNK_DICTIONARIES, CURRENT_DICTIONARY } from './chunk-dictionary.ts';

/** Spans of one trace as stored: a header byte, then zstd over JSON rows (docs/decisions/0003). */
export interface SpanChunk {
  data: Buffer;
  /** First 8 bytes of SHA-256 over the uncompressed content. */
  contentHash: Buffer;
  spanCount: number;
}

interface ChunkBody {
  baseNs: string;
  /** Sets of attribute keys; spans of one kind share theirs. */
  shapes: string[][];
  resources: AttributesRow[];
  scopes: [name: string, version: string][];
  spans: SpanRow[];
}

/** Number of the key set, then the values in its order. */
type AttributesRow = [shape: number, ...values: AttributeValue[]];

/**
 * span id, parent (row number in this chunk, or id, or null), name, kind, start and duration in ns (number if exact,
 * text beyond 2^53, duration null while running), status code, status message, resource, scope, attributes, events, links;
 * trailing empty values are omitted.
 */
type SpanRow = [
  string,
  number | string | null,
  string,
  number,
  number | string,
  number | string | null,
  number,
  string,
  number,
  number,
  AttributesRow,
  EventRow[]?,
  LinkRow[]?,
];
type EventRow = [name: string, offsetNs: number | string, attributes: AttributesRow];
type LinkRow = [traceId: string, spanId: string, attributes: AttributesRow];

/** Level 3 would save 1.5 % of the bytes for a third more time during ingest. */
const COMPRESSION_LEVEL = 1;
const COMPRESS_OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
  dictionary: CHUNK_DICTIONARIES.get(CURRENT_DICTIONARY),
};
/** A chunk holds at most one request's spans: the limit of a decompressed body, with room for escapes. */
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;

/** @param spans of one trace, at least one */
export function encodeChunk(spans: readonly Span[]): SpanChunk {
  const content = Buffer.from(chunkText(spans));
  return { data: compress(content), contentHash: hashContent(content), spanCount: spans.length };
}

/** The uncompressed content. */
export function chunkText(spans: readonly Span[]): string {
  return JSON.stringify(toBody(spans));
}

function hashContent(content: Buffer): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, 8);
}

function compress(content: Buffer): Buffer {
  const packed = zstdCompressSync(content, COMPRESS_OPTIONS);
  return Buffer.concat([Buffer.of(CURRENT_DICTIONARY), packed]);
}

/** @throws Error if the bytes are not a chunk of a known version */
export function decodeChunk(data: Uint8Array, traceId: string): Span[] {
  const dictionary = CHUNK_DICTIONARIES.get(data[0] ?? -1);
  if (!dictionary) throw new Error(`span chunk of unknown version ${data[0]}`);
  const text = zstdDecompressSync(data.subarray(1), { dictionary, maxOutputLength: MAX_UNPACKED_BYTES }).toString();
  return fromBody(JSON.parse(text) as ChunkBody, traceId);
}

function toBody(spans: readonly Span[]): ChunkBody {
  const base = spans.reduce((least, span) => (span.startNs < least ? span.startNs : least), spans[0]?.startNs ?? 0n);
  const shapes = new Interner<string[]>(shapeName);
  const pack = (attributes: Attributes) => packAttributes(attributes, shapes);
  const resources = new Interner<Attributes>((resource) => resource);
  const scopes = new Interner<SpanScope>((scope) => `${scope.name}\n${scope.version}`);
  const rowOf = new Map(spans.map((span, row) => [span.spanId, row]));
  const rows = spans.map((span): SpanRow => {
    const row: SpanRow = [
      span.spanId,
      span.parentSpanId === null ? null : (rowOf.get(span.parentSpanId) ?? span.parentSpanId),
      span.name,
      span.kind,
      packNs(span.startNs - base),
      span.endNs === null ? null : packNs(span.endNs - span.startNs),
      span.status.code,
      span.status.message,
      resources.numberOf(span.resource),
      scopes.numberOf(span.scope),
      pack(span.attributes),
    ];
    if (span.events.length > 0 || span.links.length > 0)
      row.push(
        span.events.map((event): EventRow => [event.name, packNs(event.timeNs - span.startNs), pack(event.attributes)]),
      );
    if (span.links.length > 0)
      row.push(span.links.map((link): LinkRow => [link.traceId, link.spanId, pack(link.attributes)]));
    return row;
  });
  return {
    baseNs: String(base),
    resources: resources.values.map(pack),
    shapes: shapes.values,
    scopes: scopes.values.map((scope) => [scope.name, scope.version]),
    spans: rows,
  };
}

function fromBody(body: ChunkBody, traceId: string): Span[] {
  const base = BigInt(body.baseNs);
  const unpack = (row: AttributesRow) => unpackAttributes(row, body.shapes);
  const resources = body.resources.map(unpack);
  const scopes = body.scopes.map(([name, version]): SpanScope => ({ name, version }));
  return body.spans.map((row): Span => {
    const [spanId, parent, name, kind, start, duration, code, message, resource, scope, attributes, events, links] =
      row;
    const startNs = base + BigInt(start);
    return {
      traceId,
      spanId,
      parentSpanId: typeof parent === 'number' ? (body.spans[parent]?.[0] ?? null) : parent,
      name,
      kind: kind as SpanKind,
      startNs,
      endNs: duration === null ? null : startNs + BigInt(duration),
      status: { code: code as 0 | 1 | 2, message },
      attributes: unpack(attributes),
      events: (events ?? []).map(([eventName, offset, eventAttributes]): SpanEvent => {
        return { name: eventName, timeNs: startNs + BigInt(offset), attributes: unpack(eventAttributes) };
      }),
      links: (links ?? []).map(([linkTraceId, linkSpanId, linkAttributes]): SpanLink => {
        return { traceId: linkTraceId, spanId: linkSpanId, attributes: unpack(linkAttributes) };
      }),
      resource: resources[resource] ?? {},
      scope: scopes[scope] ?? { name: '', version: '' },
    };
  });
}

function packAttributes(attributes: Attributes, shapes: Interner<string[]>): AttributesRow {
  const keys = Object.keys(attributes);
  const row: AttributesRow = [shapes.numberOf(keys)];
  for (const key of keys) row.push(attributes[key] as AttributeValue);
  return row;
}

/** A separator within a key must not make two key sets look the same. */
function shapeName(keys: readonly string[]): string {
  const name = keys.join('\n');
  return keys.some((key) => key.includes('\n')) ? JSON.stringify(keys) : name;
}

function unpackAttributes([shape, ...values]: AttributesRow, shapes: readonly string[][]): Attributes {
  const attributes: Attributes = {};
  const keys = shapes[shape] ?? [];
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as string;
    const value = values[at] ?? null;
    // A sender's key may be `__proto__`, which plain assignment would treat as the prototype.
    if (key === '__proto__')
      Object.defineProperty(attributes, key, { value, enumerable: true, writable: true, configurable: true });
    else attributes[key] = value;
  }
  return attributes;
}

function packNs(ns: bigint): number | string {
  const number = Number(ns);
  return Number.isSafeInteger(number) ? number : String(ns);
}

/** Numbers values in order of first occurrence. */
class Interner<Value> {
  readonly values: Value[] = [];
  readonly #numbers = new Map<unknown, number>();
  readonly #keyOf: (value: Value) => unknown;

  constructor(keyOf: (value: Value) => unknown) {
    this.#keyOf = keyOf;
  }

  numberOf(value: Value): number {
    const key = this.#keyOf(value);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.values.push(value) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Spans of all chunks; spans with the same id are merged in order of arrival. */
export function mergeChunks(chunks: readonly Uint8Array[], traceId: string): Span[] {
  return mergeSpans(chunks.flatMap((chunk) => decodeChunk(chunk, traceId)));
}
