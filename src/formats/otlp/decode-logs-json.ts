import type { Attributes, SpanScope } from '../../core/span.ts';
import { readResource, readScope } from './decode-json.ts';
import { readName } from './json-span.ts';
import { isRecord, type JsonReading, readAttributes, readTime } from './json-values.ts';
import { NAME_FAULT, OTLP_LIMITS, type OtlpLimits, TIME_FAULT, tooManyRecords } from './limits.ts';
import type { DecodedLogs, LogRecord } from './log-record.ts';
import { invalidBody, readJsonBody } from './read-json-body.ts';

/**
 * Reads an `ExportLogsServiceRequest` in OTLP/JSON. A record without a readable time or name only affects itself.
 * @throws AppError as `decodeOtlpJson` does
 */
export function decodeLogsJson(body: Buffer | string, limits: OtlpLimits = OTLP_LIMITS): DecodedLogs {
  return readJsonBody(body, limits, readRequest);
}

function readRequest(reading: JsonReading, request: unknown): DecodedLogs {
  if (!isRecord(request)) throw invalidBody('', 'The body must be a JSON object.');
  const decoded: DecodedLogs = { records: [], rejections: [] };
  for (const [group, at] of itemsOf(decoded, request, '', 'resourceLogs', 'resource_logs', true)) {
    const resource = readResource(reading, group.resource);
    for (const [inner, place] of itemsOf(decoded, group, at, 'scopeLogs', 'scope_logs'))
      readScopeLogs(reading, decoded, inner, place, { resource, scope: readScope(reading, inner.scope) });
  }
  return decoded;
}

type Raw = Record<string, unknown>;

/** Objects of the list under either spelling of a key, each with its pointer; other values are rejected. */
function itemsOf(
  decoded: DecodedLogs,
  raw: Raw,
  at: string,
  camel: string,
  snake: string,
  isWhole = false,
): [Raw, string][] {
  const key = raw[camel] === undefined && raw[snake] !== undefined ? snake : camel;
  const list = raw[key] ?? [];
  if (!Array.isArray(list)) {
    if (isWhole) throw invalidBody(`${at}/${key}`, `${key} must be an array.`);
    decoded.rejections.push({ pointer: `${at}/${key}`, message: 'must be an array' });
    return [];
  }
  return list.flatMap((item, index): [Raw, string][] => {
    const pointer = `${at}/${key}/${index}`;
    if (isRecord(item)) return [[item, pointer]];
    decoded.rejections.push({ pointer, message: 'must be an object' });
    return [];
  });
}

function readScopeLogs(
  reading: JsonReading,
  decoded: DecodedLogs,
  group: Raw,
  at: string,
  parent: { resource: Attributes; scope: SpanScope },
): void {
  for (const [raw, pointer] of itemsOf(decoded, group, at, 'logRecords', 'log_records')) {
    if (decoded.records.length + decoded.rejections.length >= reading.limits.spans)
      throw tooManyRecords(reading.limits);
    reading.nestedLeft = reading.limits.nestedValues;
    const read = readRecord(reading, raw);
    if ('field' in read) decoded.rejections.push({ pointer: `${pointer}/${read.field}`, message: read.message });
    else decoded.records.push({ ...read, ...parent, pointer });
  }
}

type OwnMembers = Omit<LogRecord, 'resource' | 'scope' | 'pointer'>;

function readRecord(reading: JsonReading, raw: Raw): OwnMembers | { field: string; message: string } {
  const timeNs = readTime(reading, raw.timeUnixNano ?? raw.time_unix_nano);
  if (timeNs === undefined) return { field: 'timeUnixNano', message: TIME_FAULT };
  const observedNs = readTime(reading, raw.observedTimeUnixNano ?? raw.observed_time_unix_nano);
  if (observedNs === undefined) return { field: 'observedTimeUnixNano', message: TIME_FAULT };
  const eventName = readName(reading, raw.eventName ?? raw.event_name);
  if (eventName === undefined) return { field: 'eventName', message: NAME_FAULT };
  const { body } = readAttributes(reading, [{ key: 'body', value: raw.body }], 0);
  const attributes = readAttributes(reading, raw.attributes, raw.droppedAttributesCount);
  return { timeNs: timeNs === 0n ? observedNs : timeNs, eventName, body: body ?? null, attributes };
}
