import type { Attributes, SpanScope } from '../../core/span.ts';
import type { OtlpLimits } from './limits.ts';
import {
  finishAttributes,
  newAttributeList,
  type ProtobufReading,
  readAttribute,
  readName,
} from './protobuf-values.ts';
import { WireReader } from './wire-reader.ts';

/** What a request calls its resources and their scopes, and how the latter are told on the wire. */
export interface RecordNesting {
  resources: string;
  scopes: string;
  scopeTags: readonly number[];
}

/** What stands around a record. */
export interface RecordPlace {
  resource: Attributes;
  scope: SpanScope;
  /** JSON pointer of the scope, such as `/resourceSpans/0/scopeSpans/1`. */
  pointer: string;
  /** Of the record within its scope. */
  index: number;
}

/** Reads one record; the reader stands before its length. */
export type ReadRecord = (reading: ProtobufReading, place: RecordPlace) => void;

const RESOURCES = 0x0a;

/**
 * Walks an export request of OTLP: resources, their scopes, their records. Fields unknown or of another wire type are skipped.
 * @throws AppError `malformed` where the bytes are no protobuf
 */
export function readRecords(body: Uint8Array, limits: OtlpLimits, nesting: RecordNesting, read: ReadRecord): void {
  const reading: ProtobufReading = { wire: new WireReader(body), limits, nestedLeft: 0 };
  let index = 0;
  for (let tag = reading.wire.tag(); tag !== 0; tag = reading.wire.tag()) {
    if (tag === RESOURCES) readOfResource(reading, `/${nesting.resources}/${index++}`, nesting, read);
    else reading.wire.skip(tag);
  }
}

const RESOURCE = 0x0a;

/** The resource may come after its records on the wire, so they share an object that is filled when it comes. */
function readOfResource(reading: ProtobufReading, pointer: string, nesting: RecordNesting, read: ReadRecord): void {
  const { wire } = reading;
  const outer = wire.enter();
  const list = newAttributeList();
  let index = 0;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === RESOURCE) readResource(reading, list);
    else if (nesting.scopeTags.includes(tag))
      readOfScope(reading, list.attributes, `${pointer}/${nesting.scopes}/${index++}`, read);
    else wire.skip(tag);
  }
  wire.leave(outer);
  finishAttributes(list);
}

const RESOURCE_ATTRIBUTES = 0x0a;
const RESOURCE_DROPPED = 0x10;

function readResource(reading: ProtobufReading, list: ReturnType<typeof newAttributeList>): void {
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
const RECORDS = 0x12;

function readOfScope(reading: ProtobufReading, resource: Attributes, pointer: string, read: ReadRecord): void {
  const { wire } = reading;
  const outer = wire.enter();
  const scope: SpanScope = { name: '', version: '' };
  let index = 0;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === SCOPE) readScope(reading, scope);
    else if (tag === RECORDS) read(reading, { resource, scope, pointer, index: index++ });
    else wire.skip(tag);
  }
  wire.leave(outer);
}

const SCOPE_NAME = 0x0a;
const SCOPE_VERSION = 0x12;

function readScope(reading: ProtobufReading, scope: SpanScope): void {
  const { wire } = reading;
  const outer = wire.enter();
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === SCOPE_NAME) scope.name = readName(reading);
    else if (tag === SCOPE_VERSION) scope.version = readName(reading);
    else wire.skip(tag);
  }
  wire.leave(outer);
}
