import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeOtlpJson } from '../src/formats/otlp/encode-json.ts';
import { makeSpan } from './support/make-span.ts';
import { type Credentials, createTenant, get, type Served, serve } from './support/served.ts';
import { spanIdOf, traceIdOf } from './support/store-app.ts';
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver.ts';

const TRACE = traceIdOf(1);
/** The program stops after this many calls; the alert is sent long before. */
const MAX_CALLS = 600;
const CALL_MS = 100;

let folder: string;
let server: Served;
let receiver: WebhookReceiver;
let credentials: Credentials;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-live-'));
  receiver = await startReceiver();
  server = await serve(folder, '--allow-private-webhooks', '127.0.0.0/8');
  credentials = await createTenant(server.url);
  const channels = { webhook: { enabled: true, webhook_url: `${receiver.url}/hook` } };
  const path = `/api/v1/tenants/${credentials.tenantId}/preferences/notifications`;
  const response = await request('PUT', path, JSON.stringify({ channels }));
  expect(response.status, await response.text()).toBe(200);
}, 90_000);

afterAll(async () => {
  await server?.end('SIGTERM');
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

function request(method: string, path: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey };
  return fetch(`${server.url}${path}`, { method, headers, body });
}

/** One round of the looping program: it makes the call once more and exports the span. Its root span never ends. */
async function runRound(n: number): Promise<void> {
  const startNs = BigInt(Date.now()) * 1_000_000n;
  const span = makeSpan({
    traceId: TRACE,
    spanId: spanIdOf(n + 1),
    parentSpanId: spanIdOf(9_999),
    name: 'execute_tool find_order',
    startNs,
    endNs: startNs + 1_000_000n,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': 'clerk',
      'gen_ai.tool.name': 'find_order',
      'gen_ai.tool.call.arguments': '{"id":7}',
      'gen_ai.tool.call.result': 'no rows',
    },
    resource: { 'service.name': 'desk' },
  });
  const response = await request('POST', '/v1/traces', encodeOtlpJson([span]).toString());
  expect(response.status).toBe(200);
}

test('the alert about a loop is sent while the program still loops', async () => {
  let calls = 0;
  for (; calls < MAX_CALLS && receiver.posts.length === 0; calls += 1) {
    await runRound(calls);
    // Duration of one round.
    await new Promise((next) => setTimeout(next, CALL_MS));
  }
  expect(calls).toBeLessThan(MAX_CALLS);
  expect(receiver.posts[0]!.text).toContain(TRACE);
  expect(receiver.posts[0]!.text).toContain('loop');
  const trace = await get<Record<string, unknown>>(server.url, credentials, `/traces/${TRACE}`);
  expect(trace).toMatchObject({ status: 'running', agent_ids: ['clerk'], service_name: 'desk' });
}, 120_000);
