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

/** As an HTTP Request node sends it: no key, no signature. */
const tell = (path: string, body: Json | string) =>
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
  it('are registered, an app with its key beneath an instance', async () => {
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
    ['an app of no instance', '/apps', { name: 'x', instance_id: 'ins_none' }, '/instance_id'],
    ['an app with an address', '/apps', { name: 'x', url: 'https://dify.example.com' }, '/url'],
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
  ])('told as %s comes with its nodes', async (_name, body) => {
    const { webhook } = await register();
    const answer = await tell(webhook.path, body);
    expect([answer.status, answer.json.accepted_spans], answer.text).toEqual([202, 7]);
    expect((await onlyTrace()).spans).toHaveLength(7);
  });

  it('told event by event grows and is there once', async () => {
    const { webhook } = await register();
    for (const event of [...EVENTS, ...EVENTS]) expect((await tell(webhook.path, event)).status).toBe(202);
    const trace = await onlyTrace();
    expect([trace.spans.length, rootOf(trace).attributes['input.value'] !== undefined]).toEqual([7, true]);
  });

  it('known with its nodes keeps them when its end or its summary comes again', async () => {
    const { webhook } = await register();
    await tell(webhook.path, EVENTS);
    const before = await onlyTrace();
    for (const body of [END, logPage(SUMMARY)]) {
      expect((await tell(webhook.path, body)).json.accepted_spans).toBe(0);
      expect(await onlyTrace()).toEqual(before);
    }
  });

  it('whose end was lost gets it from its summary', async () => {
    const { webhook } = await register();
    await tell(
      webhook.path,
      EVENTS.filter(({ event }) => event !== 'workflow_finished'),
    );
    expect((await tell(webhook.path, logPage(SUMMARY))).json.accepted_spans).toBe(1);
    const trace = await onlyTrace();
    expect(trace.spans).toHaveLength(7);
    expect(rootOf(trace)).toMatchObject({
      end_time_unix_nano: expect.any(String),
      attributes: { 'dify.status': 'succeeded' },
    });
    expect(rootOf(trace).attributes['input.value']).toBeDefined();
  });

  it('whose times nobody told is of its arrival', async () => {
    const { webhook } = await register();
    const data = { id: 'untimed', status: 'succeeded', created_at: 0, outputs: { answer: 'Soup.' } };
    await tell(webhook.path, { event: 'workflow_finished', workflow_run_id: 'untimed', data });
    const listed = async () => (await get(`/tenants/${tenant.tenantId}/traces`)).items[0];
    const arrived = new Date(http.clock.now()).toISOString();
    expect(await listed()).toMatchObject({ started_at: arrived, ended_at: null });
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    expect(await listed()).toMatchObject({ started_at: arrived, status: 'ok' });
  });

  it('returns the error, and the stream sends it', async () => {
    const { webhook } = await register();
    const told: string[] = [];
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    const { stop } = http.services.streams.subscribe(tenantNo, 'llmapps', null, {
      take: ({ event, data }) => told.push(`${event} ${data.run_id ?? ''}`.trim()),
      end: () => {},
    });
    await tell(webhook.path, EVENTS);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    stop();
    expect(told[0]).toBe(`execution.finished ${RUN}`);
    const { items } = await get(`/tenants/${tenant.tenantId}/detections`);
    expect(items.map((found: JsonObject) => found.detection_type)).toContain('tool_failure');
  });

  it.each<[string, Json | string, number]>([
    ['no event', { event: 'thought' }, 422],
    ['no JSON and no stream', '<html>', 422],
    ['a list of other things', [1, 2], 422],
  ])('that is %s is refused', async (_name, body, status) => {
    const { webhook } = await register();
    expect((await tell(webhook.path, body)).status).toBe(status);
  });

  it('of a signed app needs a signature', async () => {
    const { webhook } = await register({ signed: true });
    expect((await tell(webhook.path, EVENTS)).status).toBe(401);
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

  it.each(['/v1/traces', '/api/v1/v1/traces'])('comes as protobuf to %s', async (path) => {
    const answer = await send(path, tenant.apiKey);
    expect([answer.status, answer.text]).toEqual([200, '']);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const trace = await onlyTrace();
    expect(trace).toMatchObject({ framework: 'dify', name: 'greenhouse', session_id: 'conv-greenhouse' });
    const { items } = await get(`/tenants/${tenant.tenantId}/detections`);
    expect(items).toMatchObject([{ detection_type: 'tool_failure', subtype: 'service' }]);
  });

  it('needs a key that holds', async () => {
    expect((await send('/v1/traces', 'mst_k1_nothing')).status).toBe(401);
  });
});
