import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { decodeOtlpJson } from '../formats/otlp/decode-json.ts';
import { encodeOtlpProtobuf } from '../formats/otlp/encode-protobuf.ts';

const EVENTS: JsonObject[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/fixtures/dify/failing-iteration.json'), 'utf8'),
);
const BEGINNING = EVENTS.find(({ event }) => event === 'workflow_started')!;
const END = EVENTS.find(({ event }) => event === 'workflow_finished')!;
const RUN = String(END.workflow_run_id);
const INSTANCE = { name: 'home', url: 'https://dify.example.com/v1/' };

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
});
beforeEach(async () => {
  tenant = await http.newTenant('desk');
});
afterAll(() => http.close());

const post = (path: string, body: Json, credential: string | null = tenant.apiKey) =>
  http.send({ method: 'POST', path: `/api/v1/llmapps${path}`, credential, body });
const get = async (path: string, credential = tenant.apiKey) =>
  (await http.send({ path: `/api/v1${path}`, credential })).json;

async function register(more: JsonObject = {}) {
  const answer = await post('/apps', { name: 'Recipes', ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { app_id: string; webhook: { path: string; secret: string } };
}

/** Sends as an HTTP Request node does: without key and signature. */
const sendWebhook = (path: string, body: Json | string) =>
  http.send({
    method: 'POST',
    path,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    headers: { 'Content-Type': 'text/plain' },
  });

async function onlyTrace() {
  const { items, total } = await get(`/tenants/${tenant.tenantId}/traces`);
  expect(total).toBe(1);
  return get(`/tenants/${tenant.tenantId}/traces/${items[0].trace_id}`);
}
const rootOf = (trace: { spans: { parent_span_id: string | null; attributes: JsonObject }[] }) =>
  trace.spans.find((span) => span.parent_span_id === null)!;

const SUMMARY: JsonObject = {
  id: RUN,
  status: 'succeeded',
  error: null,
  elapsed_time: 2.5,
  total_tokens: 9,
  total_steps: 2,
  created_at: (BEGINNING.data as JsonObject).created_at!,
  finished_at: Number((BEGINNING.data as JsonObject).created_at) + 3,
};
const logPage = (run: JsonObject): JsonObject => ({
  page: 1,
  limit: 20,
  total: 1,
  has_more: false,
  data: [{ id: 'log', workflow_run: run, created_at: SUMMARY.created_at! }],
});

describe('instances and apps of Dify', () => {
  it('are registered, an app with its key below an instance', async () => {
    const { json: instance } = await post('/instances', INSTANCE);
    expect(instance).toMatchObject({ name: 'home', url: 'https://dify.example.com/v1', credentials: [] });
    const app = await register({ instance_id: instance.instance_id, api_key: 'app-of-this-test', external_id: 'a-1' });
    expect(app).toMatchObject({ instance_id: instance.instance_id, external_id: 'a-1', credentials: ['api_key'] });
    expect(app.webhook.path).toMatch(/^\/api\/v1\/llmapps\/webhook\/mst_w1_/);
    for (const path of ['/llmapps/apps', '/llmapps/instances', '/integrations']) {
      const list = await get(path);
      expect(list.items.length).toBeGreaterThan(0);
      expect(JSON.stringify(list)).not.toContain('app-of-this-test');
    }
    const again = await post('/apps', { name: 'again', instance_id: instance.instance_id, external_id: 'a-1' });
    expect(again.status).toBe(409);
  });

  it.each<[string, string, JsonObject, string]>([
    ['an instance without its address', '/instances', { name: 'x' }, '/url'],
    ['an app of an unknown instance', '/apps', { name: 'x', instance_id: 'ins_none' }, '/instance_id'],
    ['an app with a URL', '/apps', { name: 'x', url: 'https://dify.example.com' }, '/url'],
  ])('%s is refused', async (_name, path, body, pointer) => {
    const answer = await post(path, body);
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('a run of Dify', () => {
  it.each<[string, Json | string]>([
    ['a list of events', EVENTS],
    ['a batch of events', { events: EVENTS }],
    [
      'the text of its stream',
      EVENTS.map((one) => (one.event === 'ping' ? 'event: ping\n' : `data: ${JSON.stringify(one)}\n`)).join('\n'),
    ],
  ])('sent as %s has its nodes', async (_name, body) => {
    const { webhook } = await register();
    const answer = await sendWebhook(webhook.path, body);
    expect([answer.status, answer.json.accepted_spans], answer.text).toEqual([202, 7]);
    expect((await onlyTrace()).spans).toHaveLength(7);
  });

  it('sent in single events grows and stays one trace', async () => {
    const { webhook } = await register();
    for (const event of [...EVENTS, ...EVENTS]) expect((await sendWebhook(webhook.path, event)).status).toBe(202);
    const trace = await onlyTrace();
    expect([trace.spans.length, rootOf(trace).attributes['input.value'] !== undefined]).toEqual([7, true]);
  });

  it('keeps its nodes when its end or its summary arrives again', async () => {
    const { webhook } = await register();
    await sendWebhook(webhook.path, EVENTS);
    const before = await onlyTrace();
    for (const body of [END, logPage(SUMMARY)]) {
      expect((await sendWebhook(webhook.path, body)).json.accepted_spans).toBe(0);
      expect(await onlyTrace()).toEqual(before);
    }
  });

  it('without an end event is ended by its summary', async () => {
    const { webhook } = await register();
    await sendWebhook(
      webhook.path,
      EVENTS.filter(({ event }) => event !== 'workflow_finished'),
    );
    expect((await sendWebhook(webhook.path, logPage(SUMMARY))).json.accepted_spans).toBe(1);
    const trace = await onlyTrace();
    expect(trace.spans).toHaveLength(7);
    expect(rootOf(trace)).toMatchObject({
      end_time_unix_nano: expect.any(String),
      attributes: { 'dify.status': 'succeeded' },
    });
    expect(rootOf(trace).attributes['input.value']).toBeDefined();
  });

  it('without times has its time of arrival', async () => {
    const { webhook } = await register();
    const data = { id: 'untimed', status: 'succeeded', created_at: 0, outputs: { answer: 'Soup.' } };
    await sendWebhook(webhook.path, { event: 'workflow_finished', workflow_run_id: 'untimed', data });
    const listed = async () => (await get(`/tenants/${tenant.tenantId}/traces`)).items[0];
    const arrived = new Date(http.clock.now()).toISOString();
    expect(await listed()).toMatchObject({ started_at: arrived, ended_at: null });
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    expect(await listed()).toMatchObject({ started_at: arrived, status: 'ok' });
  });

  it('returns the error, and the stream sends it', async () => {
    const { webhook } = await register();
    const received: string[] = [];
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    const { stop } = http.services.streams.subscribe(tenantNo, 'llmapps', null, {
      receive: ({ event, data }) => received.push(`${event} ${data.run_id ?? ''}`.trim()),
      end: () => {},
    });
    await sendWebhook(webhook.path, EVENTS);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    stop();
    expect(received[0]).toBe(`execution.finished ${RUN}`);
    const { items } = await get(`/tenants/${tenant.tenantId}/detections`);
    expect(items.map((found: JsonObject) => found.detection_type)).toContain('tool_failure');
  });

  it.each<[string, Json | string, number]>([
    ['no event', { event: 'thought' }, 422],
    ['neither JSON nor a stream', '<html>', 422],
    ['a list of other things', [1, 2], 422],
    ['an empty list', [], 422],
  ])('that is %s is refused', async (_name, body, status) => {
    const { webhook } = await register();
    expect((await sendWebhook(webhook.path, body)).status).toBe(status);
  });

  it('of a signed app needs a signature', async () => {
    const { webhook } = await register({ signed: true });
    expect((await sendWebhook(webhook.path, EVENTS)).status).toBe(401);
    const byKey = await post('/webhook', EVENTS);
    expect(byKey.status).toBe(401);
  });
});

describe("Dify's own tracing", () => {
  const { spans } = decodeOtlpJson(
    readFileSync(join(import.meta.dirname, '../../test/fixtures/conventions/dify/phoenix-workflow.json')),
  );
  /** As its Phoenix provider sends it. */
  const send = (path: string, key: string) =>
    http.send({
      method: 'POST',
      path,
      body: Buffer.from(encodeOtlpProtobuf(spans)),
      headers: { 'Content-Type': 'application/x-protobuf', api_key: key, authorization: `Bearer ${key}` },
    });

  it.each(['/v1/traces', '/api/v1/v1/traces'])('is accepted as protobuf at %s', async (path) => {
    const answer = await send(path, tenant.apiKey);
    expect([answer.status, answer.text]).toEqual([200, '']);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const trace = await onlyTrace();
    expect(trace).toMatchObject({ framework: 'dify', name: 'greenhouse', session_id: 'conv-greenhouse' });
    const { items } = await get(`/tenants/${tenant.tenantId}/detections`);
    expect(items).toMatchObject([{ detection_type: 'tool_failure', subtype: 'service' }]);
  });

  it('needs a valid key', async () => {
    expect((await send('/v1/traces', 'mst_k1_nothing')).status).toBe(401);
  });
});
