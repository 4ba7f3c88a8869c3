import type { Attributes, AttributeValue, SpanScope } from '../../core/span.ts';
import { isInt64 } from './attributes.ts';
import { OTLP_LIMITS, type OtlpLimits, TIME_FAULT, tooManyRecords } from './limits.ts';
import type { DecodedLogs } from './log-record.ts';
import { readRecords } from './protobuf-records.ts';
import {
  finishAttributes,
  newAttributeList,
  type ProtobufReading,
  readAttribute,
  readName,
  readValue,
} from './protobuf-values.ts';

const SCOPE_LOGS = 0x12;
const NESTING = { resources: 'resourceLogs', scopes: 'scopeLogs', scopeTags: [SCOPE_LOGS] };

/**
 * Reads an `ExportLogsServiceRequest` in protobuf (field numbers of `logs.proto`).
 * @throws AppError as `decodeOtlpProtobuf` does
 */
export function decodeLogsProtobuf(body: Uint8Array, limits: OtlpLimits = OTLP_LIMITS): DecodedLogs {
  const decoded: DecodedLogs = { records: [], rejections: [] };
  readRecords(body, limits, NESTING, (reading, { resource, scope, pointer, index }) => {
    if (decoded.records.length + decoded.rejections.length >= limits.spans) throw tooManyRecords(limits);
    readRecord(reading, { resource, scope }, `${pointer}/logRecords/${index}`, decoded);
  });
  return decoded;
}

const TIME = 0x09;
const BODY = 0x2a;
const ATTRIBUTES = 0x32;
const DROPPED = 0x38;
const OBSERVED_TIME = 0x59;
const EVENT_NAME = 0x62;

function readRecord(
  reading: ProtobufReading,
  place: { resource: Attributes; scope: SpanScope },
  pointer: string,
  decoded: DecodedLogs,
): void {
  const { wire, limits } = reading;
  const outer = wire.enter();
  reading.nestedLeft = limits.nestedValues;
  const list = newAttributeList();
  let timeNs = 0n;
  let observedNs = 0n;
  let eventName = '';
  let body: AttributeValue = null;
  for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
    if (tag === TIME) timeNs = wire.fixed64();
    else if (tag === OBSERVED_TIME) observedNs = wire.fixed64();
    else if (tag === EVENT_NAME) eventName = readName(reading);
    else if (tag === BODY) body = readValue(reading, 0);
    else if (tag === ATTRIBUTES) readAttribute(reading, list, tag);
    else if (tag === DROPPED) list.dropped += wire.uint32();
    else wire.skip(tag);
  }
  wire.leave(outer);
  const known = timeNs === 0n ? observedNs : timeNs;
  if (!isInt64(known)) decoded.rejections.push({ pointer: `${pointer}/timeUnixNano`, message: TIME_FAULT });
  else decoded.records.push({ timeNs: known, eventName, body, attributes: finishAttributes(list), ...place, pointer });
}
