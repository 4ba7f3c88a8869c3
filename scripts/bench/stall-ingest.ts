import { WireWriter } from '../../src/formats/otlp/wire-writer.ts';
import type { StallRow } from './stall-routes.ts';

const MIB = 1024 * 1024;

/** Bodies of OTLP that are large or unusual. */
export function ingestRows(tenantId: string, apiKey: string): StallRow[] {
  const headers = { 'x-svc-api-key': apiKey };
  const path = `/api/v1/tenants/${tenantId}/traces/ingest`;
  const traces = (route: string, spans: BenchSpan[]): StallRow[] => [
    { route: `ingest: ${route}`, path, headers, body: jsonOf(spans) },
    {
      route: `ingest, protobuf: ${route}`,
      path,
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      // Other ids, so that these spans are stored as well.
      body: protobufOf(spans.map((sent) => ({ ...sent, traceId: `a${sent.traceId.slice(1)}` }))),
    },
  ];
  return [
    ...traces(
      '10,000 traces of one span',
      Array.from({ length: 10_000 }, (_, at) => span(at, 0, { 'gen_ai.agent.name': `agent ${at % 20}` })),
    ),
    ...traces(
      'one trace of 50,000 spans',
      Array.from({ length: 50_000 }, (_, at) => span(1_000_000, at, { 'gen_ai.agent.name': `agent ${at % 20}` })),
    ),
    ...traces('60 MiB in one attribute', [span(1_000_001, 0, { 'input.value': 'a word '.repeat((60 * MIB) / 7) })]),
    ...traces('900,000 attributes', manyAttributes(900, 1_000)),
    ...traces(
      'maps in each other, 60 deep',
      Array.from({ length: 2_000 }, (_, at) => span(2_000_000 + at, 0, { deep: nested(60) })),
    ),
    { route: 'logs: 50,000 records', path: '/v1/logs', headers, body: logsOf(50_000) },
    importRow(apiKey),
    { route: 'the import continues', wait: 5_000 },
  ];
}

/** The response is sent before the file is imported. */
function importRow(apiKey: string): StallRow {
  const lines = Array.from({ length: 5_000 }, (_, at) =>
    jsonOf([span(3_000_000 + at, 0, { 'input.value': `run ${at}` })]),
  );
  return {
    route: 'import: 5,000 traces',
    path: '/api/v1/import-jobs',
    headers: { 'x-svc-api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  };
}

/** Text, or a map with one member `k`. */
type BenchValue = string | { k: BenchValue };

interface BenchSpan {
  traceId: string;
  spanId: string;
  attributes: Record<string, BenchValue>;
}

function manyAttributes(spans: number, attributes: number): BenchSpan[] {
  const members = Object.fromEntries(Array.from({ length: attributes }, (_, at) => [`k${at}`, 'v']));
  return Array.from({ length: spans }, (_, at) => span(1_000_002, at, members));
}

function span(trace: number, number: number, attributes: BenchSpan['attributes']): BenchSpan {
  const traceId = `b${trace.toString(16).padStart(31, '0')}`;
  return { traceId, spanId: `b${number.toString(16).padStart(15, '0')}`, attributes };
}

function nested(depth: number): BenchValue {
  let value: BenchValue = 'end';
  for (let level = 0; level < depth; level += 1) value = { k: value };
  return value;
}

const NAME = 'chat';
const START_NS = 1_795_220_422_376_000_000n;
const END_NS = 1_795_220_422_976_000_000n;

function jsonOf(spans: readonly BenchSpan[]): string {
  const sent = spans.map(({ traceId, spanId, attributes }) => ({
    traceId,
    spanId,
    name: NAME,
    startTimeUnixNano: String(START_NS),
    endTimeUnixNano: String(END_NS),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) })),
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] });
}

function anyValueOf(value: BenchValue): object {
  if (typeof value === 'string') return { stringValue: value };
  return { kvlistValue: { values: [{ key: 'k', value: anyValueOf(value.k) }] } };
}

/** By the field numbers of `trace.proto`. */
function protobufOf(spans: readonly BenchSpan[]): Uint8Array {
  const pieces = spans.map(({ traceId, spanId, attributes }) => {
    const wire = new WireWriter();
    wire.content(1, Buffer.from(traceId, 'hex'));
    wire.content(2, Buffer.from(spanId, 'hex'));
    wire.text(5, NAME);
    wire.fixed64(7, START_NS);
    wire.fixed64(8, END_NS);
    for (const [key, value] of Object.entries(attributes))
      wire.message(9, () => {
        wire.text(1, key);
        wire.message(2, () => writeValue(wire, value));
      });
    return wire.finish();
  });
  const request = new WireWriter();
  const scopeSpans = new WireWriter();
  const resourceSpans = new WireWriter();
  for (const piece of pieces) scopeSpans.content(2, piece);
  resourceSpans.content(2, scopeSpans.finish());
  request.content(1, resourceSpans.finish());
  return request.finish();
}

function writeValue(wire: WireWriter, value: BenchValue): void {
  if (typeof value === 'string') wire.text(1, value);
  else
    wire.message(6, () =>
      wire.message(1, () => {
        wire.text(1, 'k');
        wire.message(2, () => writeValue(wire, value.k));
      }),
    );
}

function logsOf(count: number): string {
  const logRecords = Array.from({ length: count }, (_, at) => ({
    timeUnixNano: String(1_795_220_422_376_000_000n + BigInt(at) * 1_000_000n),
    body: { stringValue: 'claude_code.user_prompt' },
    attributes: [
      { key: 'event.name', value: { stringValue: 'user_prompt' } },
      { key: 'session.id', value: { stringValue: `session-${at % 100}` } },
      { key: 'prompt', value: { stringValue: `question ${at}` } },
    ],
  }));
  return JSON.stringify({
    resourceLogs: [{ scopeLogs: [{ scope: { name: 'com.anthropic.claude_code.events' }, logRecords }] }],
  });
}
