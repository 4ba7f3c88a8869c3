import type { StallRow } from './stall-routes.ts';

const MIB = 1024 * 1024;

/** Bodies of OTLP that are large or unusual. */
export function ingestRows(tenantId: string, apiKey: string): StallRow[] {
  const headers = { 'x-svc-api-key': apiKey };
  const path = `/api/v1/tenants/${tenantId}/traces/ingest`;
  const traces = (route: string, spans: object[]): StallRow => ({
    route: `ingest: ${route}`,
    path,
    headers,
    body: bodyOf(spans),
  });
  return [
    traces(
      '10,000 traces of one span',
      Array.from({ length: 10_000 }, (_, at) => span(at, 0, { 'gen_ai.agent.name': `agent ${at % 20}` })),
    ),
    traces(
      'one trace of 50,000 spans',
      Array.from({ length: 50_000 }, (_, at) => span(1_000_000, at, { 'gen_ai.agent.name': `agent ${at % 20}` })),
    ),
    traces('60 MiB in one attribute', [span(1_000_001, 0, { 'input.value': 'a word '.repeat((60 * MIB) / 7) })]),
    traces('900,000 attributes', manyAttributes(900, 1_000)),
    traces(
      'maps in each other, 60 deep',
      Array.from({ length: 2_000 }, (_, at) => deepSpan(2_000_000 + at, 60)),
    ),
    { route: 'logs: 50,000 records', path: '/v1/logs', headers, body: logsOf(50_000) },
  ];
}

function manyAttributes(spans: number, attributes: number): object[] {
  const members = Object.fromEntries(Array.from({ length: attributes }, (_, at) => [`k${at}`, 'v']));
  return Array.from({ length: spans }, (_, at) => span(1_000_002, at, members));
}

function span(trace: number, number: number, attributes: Record<string, string>): object {
  return {
    traceId: `b${trace.toString(16).padStart(31, '0')}`,
    spanId: `b${number.toString(16).padStart(15, '0')}`,
    name: 'chat',
    startTimeUnixNano: '1795220422376000000',
    endTimeUnixNano: '1795220422976000000',
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
}

function deepSpan(trace: number, depth: number): object {
  let value: object = { stringValue: 'end' };
  for (let level = 0; level < depth; level += 1) value = { kvlistValue: { values: [{ key: 'k', value }] } };
  return { ...span(trace, 0, {}), attributes: [{ key: 'deep', value }] };
}

function bodyOf(spans: object[]): string {
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
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
