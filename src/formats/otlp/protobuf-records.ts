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

/** Names of the resource and scope lists of a request, and the field number of the scopes. */
export interface RecordNesting {
  resources: string;
  scopes: string;
  scopeTags: readonly number[];
}

/** Resource and scope of a record. */
export interface RecordPlace {
  resource: Attributes;
  scope: SpanScope;
  /** JSON pointer of the scope, such as `/resourceSpans/0/scopeSpans/1`. */
  pointer: string;
  /** Index of the record within its scope. */
  index: number;
}

/** Reads one record; the reader is positioned before its length. */
export type ReadRecord = (reading: ProtobufReading, place: RecordPlace) => void;

const RESOURCES = 0x0a;

/**
 * Iterates over an OTLP export request: resources, their scopes, their records. Fields that are unknown or of another wire
 * type are skipped.
 * @throws AppError `malformed` if the bytes are not protobuf
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

/** On the wire, a resource may follow its records. They share an object that is filled when the resource arrives. */
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
