import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/core/json.ts';
import { decodeOtlpJson } from '../../src/formats/otlp/decode-json.ts';
import { encodeOtlpProtobuf } from '../../src/formats/otlp/encode-protobuf.ts';
import type { Credentials } from '../../test/support/served.ts';
import type { SoakClient, SoakReply } from './soak-client.ts';
import { loopingTrace, plainTrace, type SoakTrace, toOtlpBody } from './soak-traces.ts';

/** Acknowledged traces, which are read back at the end. */
export interface Ledger {
  record(tenant: Credentials, trace: SoakTrace): void;
  /** Removes a deleted trace, so that it does not count as lost. */
  remove(traceId: string): void;
  /** A random trace that was acknowledged and not deleted; null if there is none. */
  pick(tenant: Credentials): string | null;
}

export interface TrafficParts {
  client: SoakClient;
  ledger: Ledger;
  isOver(): boolean;
  pause(ms: number): Promise<void>;
  now(): number;
  nextNumber(): number;
}

const WORDS = 'the invoice was found and the customer was told when the parcel arrives at the harbour '.repeat(6);
const API = '/api/v1';
const TENANT = `${API}/tenants/{tenant}`;
const RUN_EVENTS: JsonObject[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/fixtures/dify/failing-iteration.json'), 'utf8'),
);

/** Sends as much as the server accepts, and waits for `Retry-After`. */
export async function runFloodingTenant(parts: TrafficParts, tenant: Credentials): Promise<void> {
  while (!parts.isOver()) {
    const traces = Array.from({ length: 10 }, () => newTrace(parts, 20));
    const reply = await sendOtlp(parts, tenant, traces, 'gzip json');
    if (reply.status === 503 || reply.status === 429) await parts.pause(Math.max(1, reply.retryAfterS) * 1000);
    else if (reply.status !== 202) await parts.pause(500);
  }
}

/** Sends requests of all kinds in turn. */
export async function runMixedTenant(parts: TrafficParts, tenant: Credentials, webhookPath: string): Promise<void> {
  const turns = [
    () => sendOtlp(parts, tenant, [newTrace(parts, 12)], 'json'),
    () => sendOtlp(parts, tenant, [newTrace(parts, 12)], 'gzip json'),
    () => sendOtlp(parts, tenant, [newTrace(parts, 12), newTrace(parts, 5)], 'protobuf'),
    () => sendOtlp(parts, tenant, [newTrace(parts, 12)], 'gzip protobuf'),
    () => sendHooks(parts, tenant),
    () => sendWebhook(parts, tenant, webhookPath),
    () => sendImport(parts, tenant),
    () => deleteOne(parts, tenant),
    () => parts.client.listen(tenant, `${API}/flowplatform/stream`, 1_500),
  ];
  for (let turn = 0; !parts.isOver(); turn += 1) {
    await turns[turn % turns.length]!();
    await parts.pause(250);
  }
}

const READS = [
  '/traces?page_size=20',
  '/detections',
  '/agents',
  '/issues',
  '/analytics/quality',
  '/settings/thresholds',
];

export async function read(parts: TrafficParts, tenant: Credentials): Promise<void> {
  for (let turn = 0; !parts.isOver(); turn += 1) {
    const path = `${TENANT}${READS[turn % READS.length]}`;
    await parts.client.send(tenant, { what: 'read', path });
    const traceId = turn % 4 === 0 ? parts.ledger.pick(tenant) : null;
    if (traceId !== null) await parts.client.send(tenant, { what: 'read one', path: `${TENANT}/traces/${traceId}` });
    await parts.pause(400);
  }
}

const DETECTION_LIMIT_MS = 60_000;

/** Sends one run with a fault at a time. @returns the time from the acknowledgement to each detection; null for never */
export async function runQuietTenant(parts: TrafficParts, tenant: Credentials): Promise<(number | null)[]> {
  const delays: (number | null)[] = [];
  while (!parts.isOver()) {
    const trace = loopingTrace(parts.nextNumber(), parts.now() - 4_000);
    const reply = await sendOtlp(parts, tenant, [trace], 'json');
    if (reply.status === 202) delays.push(await waitForDetection(parts, tenant, trace.traceId));
    await parts.pause(3_000);
  }
  return delays;
}

async function waitForDetection(parts: TrafficParts, tenant: Credentials, traceId: string): Promise<number | null> {
  const started = parts.now();
  while (parts.now() - started < DETECTION_LIMIT_MS) {
    const path = `${TENANT}/detections?trace_id=${traceId}`;
    const { status, text } = await parts.client.send(tenant, { what: 'detections', path });
    if (status === 200 && (JSON.parse(text) as { total: number }).total > 0) return parts.now() - started;
    await parts.pause(100);
  }
  return null;
}

function newTrace(parts: TrafficParts, spans: number): SoakTrace {
  return plainTrace({ number: parts.nextNumber(), spans, atMs: parts.now() - 10_000, text: WORDS });
}

type OtlpForm = 'json' | 'gzip json' | 'protobuf' | 'gzip protobuf';

async function sendOtlp(
  parts: TrafficParts,
  tenant: Credentials,
  traces: readonly SoakTrace[],
  form: OtlpForm,
): Promise<SoakReply> {
  const json = toOtlpBody(traces);
  const plain = form.endsWith('json') ? Buffer.from(json) : encodeOtlpProtobuf(decodeOtlpJson(json).spans);
  const isPacked = form.startsWith('gzip');
  const reply = await parts.client.send(tenant, {
    what: `ingest ${form}`,
    path: `${TENANT}/traces/ingest`,
    method: 'POST',
    headers: {
      'content-type': form.endsWith('json') ? 'application/json' : 'application/x-protobuf',
      ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    },
    body: isPacked ? gzipSync(plain) : plain,
  });
  if (reply.status === 202) for (const trace of traces) parts.ledger.record(tenant, trace);
  return reply;
}

async function sendHooks(parts: TrafficParts, tenant: Credentials): Promise<void> {
  const session = { session_id: `soak-${parts.nextNumber()}`, cwd: '/tmp' };
  const tool = { ...session, tool_name: 'Bash', tool_input: { command: 'ls' } };
  for (const record of [
    { ...session, hook_event_name: 'SessionStart' },
    { ...session, hook_event_name: 'UserPromptSubmit', prompt: 'List the files.' },
    { ...tool, hook_event_name: 'PreToolUse' },
    { ...tool, hook_event_name: 'PostToolUse', tool_response: { stdout: 'a.txt' } },
    { ...session, hook_event_name: 'Stop' },
  ])
    await parts.client.send(tenant, {
      ...POST_JSON,
      what: 'hook',
      path: `${API}/traces/cli-agent/ingest`,
      body: JSON.stringify(record),
    });
}

const POST_JSON = { method: 'POST', headers: { 'content-type': 'application/json' } };

async function sendWebhook(parts: TrafficParts, tenant: Credentials, path: string): Promise<void> {
  const run = `soak-${parts.nextNumber()}`;
  const events = RUN_EVENTS.map((event) => JSON.stringify({ ...event, workflow_run_id: run, task_id: run }));
  for (const body of events) await parts.client.send(tenant, { ...POST_JSON, what: 'webhook', path, body });
}

async function sendImport(parts: TrafficParts, tenant: Credentials): Promise<void> {
  const traces = Array.from({ length: 20 }, () => newTrace(parts, 8));
  const body = traces.map((trace) => toOtlpBody([trace])).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  await parts.client.send(tenant, { what: 'import', path: `${API}/import-jobs`, method: 'POST', headers, body });
}

async function deleteOne(parts: TrafficParts, tenant: Credentials): Promise<void> {
  const traceId = parts.ledger.pick(tenant);
  if (traceId === null) return;
  parts.ledger.remove(traceId);
  await parts.client.send(tenant, { what: 'delete', path: `${TENANT}/traces/${traceId}`, method: 'DELETE' });
}
