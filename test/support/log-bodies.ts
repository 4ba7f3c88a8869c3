import { WireWriter } from '../../src/formats/otlp/wire-writer.ts';

/** A log record in the short form of tests. */
export interface SentLog {
  /** Unix milliseconds. */
  atMs: number;
  body?: string;
  eventName?: string;
  attributes: Record<string, string | number | boolean>;
}

export interface SentLogs {
  serviceName: string;
  scope: string;
  /** Further attributes of the resource. */
  resource?: SentLog['attributes'];
  records: readonly SentLog[];
}

const anyValueOf = (value: string | number | boolean) => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
};
const listOf = (attributes: SentLog['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }));
const nsOf = (atMs: number) => BigInt(atMs) * 1_000_000n;

/** An `ExportLogsServiceRequest` in OTLP/JSON. */
export function logsJson({ serviceName, scope, resource: more = {}, records }: SentLogs): Buffer {
  const logRecords = records.map(({ atMs, body, eventName, attributes }) => ({
    timeUnixNano: String(nsOf(atMs)),
    ...(body === undefined ? {} : { body: { stringValue: body } }),
    ...(eventName === undefined ? {} : { eventName }),
    attributes: listOf(attributes),
  }));
  const resource = { attributes: listOf({ 'service.name': serviceName, ...more }) };
  return Buffer.from(
    JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: scope }, logRecords }] }] }),
  );
}

/** The same in protobuf, by the field numbers of `logs.proto`. */
export function logsProtobuf({ serviceName, scope, resource = {}, records }: SentLogs): Buffer {
  const wire = new WireWriter();
  wire.message(1, () => {
    wire.message(1, () => writeAttributes(wire, 1, { 'service.name': serviceName, ...resource }));
    wire.message(2, () => {
      wire.message(1, () => wire.text(1, scope));
      for (const record of records) wire.message(2, () => writeRecord(wire, record));
    });
  });
  return wire.finish();
}

function writeRecord(wire: WireWriter, { atMs, body, eventName, attributes }: SentLog): void {
  wire.fixed64(1, nsOf(atMs));
  if (body !== undefined) wire.message(5, () => wire.text(1, body));
  writeAttributes(wire, 6, attributes);
  if (eventName !== undefined) wire.text(12, eventName);
}

function writeAttributes(wire: WireWriter, field: number, attributes: SentLog['attributes']): void {
  for (const [key, value] of Object.entries(attributes))
    wire.message(field, () => {
      wire.text(1, key);
      wire.message(2, () => {
        if (typeof value === 'string') wire.text(1, value);
        else if (typeof value === 'boolean') wire.varint(2, value ? 1 : 0);
        else if (Number.isInteger(value)) wire.varint(3, value);
        else wire.double(4, value);
      });
    });
}
