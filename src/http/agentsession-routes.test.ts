import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { openClawTraceId } from '../formats/openclaw/session-span.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/openclaw');
/** A recording of the real program; it is not part of this repository. */
const CAPTURE = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../shared/clients/captures'),
  'openclaw/agent-sqlite-session-tables.json',
);
const TABLES: JsonObject = JSON.parse(readFileSync(join(FIXTURES, 'session-tables.json'), 'utf8'));
const ROWS = (TABLES.transcript_events as JsonObject[]).filter((row) => row.event_json != null);
const SESSION = String(ROWS[0]!.session_id);

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
  http.send({ method: 'POST', path: `/api/v1/agentsession${path}`, credential, body });
const get = async (path: string) => (await http.send({ path: `/api/v1${path}`, credential: tenant.apiKey })).json;

async function register(more: JsonObject = {}) {
  const answer = await post('/agents', { name: 'Gardener', external_id: 'main', ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { agent_id: string; webhook: { path: string; secret: string } };
}

const sendWebhook = (path: string, body: Json) =>
  http.send({ method: 'POST', path, body: Buffer.from(JSON.stringify(body)), headers: {} });
const traceOf = (session = SESSION) => get(`/tenants/${tenant.tenantId}/traces/${openClawTraceId(session)}`);

describe('instances and agents of OpenClaw', () => {
  it('are registered, an agent once per instance', async () => {
    const { json: instance } = await post('/instances', { name: 'home' });
    expect(instance).toMatchObject({ name: 'home', url: null, webhook: { path: expect.any(String) } });
    const agent = await register({ instance_id: instance.instance_id });
    expect(agent).toMatchObject({ instance_id: instance.instance_id, external_id: 'main' });
    expect((await post('/agents', { name: 'x', external_id: 'main', instance_id: instance.instance_id })).status).toBe(
      409,
    );
    for (const path of ['/agentsession/agents', '/agentsession/instances'])
      expect((await get(path)).items).toHaveLength(1);
  });

  it.each<[string, string, JsonObject, string]>([
    ['an agent without its id', '/agents', { name: 'x' }, '/external_id'],
    [
      'an agent of an unknown instance',
      '/agents',
      { name: 'x', external_id: 'x', instance_id: 'ins_none' },
      '/instance_id',
    ],
    ['an instance with an invalid URL', '/instances', { name: 'x', url: 'home' }, '/url'],
  ])('%s is refused', async (_name, path, body, pointer) => {
    const answer = await post(path, body);
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('a session of OpenClaw', () => {
  it('grows as its rows arrive and stays one trace', async () => {
    const { webhook } = await register();
    const half = Math.ceil(ROWS.length / 2);
    await sendWebhook(webhook.path, ROWS.slice(0, half));
    const before = (await traceOf()).spans.length;
    await sendWebhook(webhook.path, ROWS.slice(half));
    const after = await traceOf();
    expect(after.spans.length).toBeGreaterThan(before);
    await sendWebhook(webhook.path, ROWS);
    expect((await traceOf()).spans.length).toBe(after.spans.length);
  });

  it('is read from a body with session and events', async () => {
    const { webhook } = await register();
    const events = ROWS.map(({ event_json }) => event_json as JsonObject);
    const body = { session: { id: SESSION, key: 'agent:main:main' }, events };
    expect((await sendWebhook(webhook.path, body)).status).toBe(202);
    const trace = await traceOf();
    expect(trace.spans.length).toBeGreaterThan(3);
  });

  it('is read from plugin hooks with their time of arrival and failures', async () => {
    const { webhook } = await register();
    const ctx = { sessionId: 'hooked', sessionKey: 'agent:main:main', agentId: 'main', runId: 'r' };
    const calls: [string, JsonObject][] = [
      ['session_start', { sessionId: 'hooked' }],
      ['llm_input', { runId: 'r', model: 'gpt-4o', provider: 'openai', prompt: 'Open the vent' }],
      ['before_tool_call', { toolName: 'vent', params: { open: true }, toolCallId: 'c' }],
      ['after_tool_call', { toolName: 'vent', params: { open: true }, toolCallId: 'c', error: 'connect ECONNREFUSED' }],
      ['llm_output', { runId: 'r', model: 'gpt-4o', provider: 'openai', assistantTexts: ['It is open.'] }],
      ['session_end', { sessionId: 'hooked', reason: 'idle' }],
    ];
    for (const [hook, event] of calls) {
      expect((await sendWebhook(webhook.path, { hook, event, ctx })).status).toBe(202);
      http.clock.advance(1_000);
    }
    expect((await traceOf('hooked')).spans).toHaveLength(3);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const { items } = await get(`/tenants/${tenant.tenantId}/detections`);
    expect(items.map((found: JsonObject) => found.detection_type)).toContain('tool_failure');
  });

  it('of a scheduled job is read from its webhook, with the cron token as well', async () => {
    const { webhook } = await register();
    const runAtMs = http.clock.now() - 5_000;
    const failed = {
      action: 'finished',
      jobId: 'j',
      status: 'error',
      error: 'no such model',
      runAtMs,
      sessionId: 'cron-1',
    };
    const answer = await http.send({
      method: 'POST',
      path: webhook.path,
      body: Buffer.from(JSON.stringify(failed)),
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer cron-token' },
    });
    expect([answer.status, answer.json.accepted_spans], answer.text).toEqual([202, 2]);
    const alert = { jobId: 'j', jobName: 'Watering', message: 'no such model', runAtMs };
    expect((await sendWebhook(webhook.path, alert)).status).toBe(202);
  });

  it('contains no secrets', async () => {
    const { webhook } = await register();
    const event = {
      toolName: 'exec',
      params: { command: `curl -H "x-api-key: k9-abcdefgh12345678" https://misstep.example.com${webhook.path}` },
      toolCallId: 'c',
    };
    await sendWebhook(webhook.path, { hook: 'before_tool_call', event, ctx: { sessionId: 'secret' } });
    const text = JSON.stringify(await traceOf('secret'));
    expect(text).toContain('[redacted:api_key');
    expect(text).not.toMatch(/k9-abcdefgh/);
    expect(text).not.toContain(webhook.path.split('/').at(-1)!.slice(8));
  });

  it.skipIf(!existsSync(CAPTURE))('is read from a recording of the real program', async () => {
    const { webhook } = await register();
    const tables = JSON.parse(readFileSync(CAPTURE, 'utf8')) as JsonObject;
    const answer = await sendWebhook(webhook.path, tables);
    expect([answer.status, answer.json.errors], answer.text).toEqual([202, []]);
    const [traceId] = answer.json.trace_ids;
    const trace = await get(`/tenants/${tenant.tenantId}/traces/${traceId}`);
    expect([traceId, trace.spans.length > 2]).toEqual([openClawTraceId('sess-test-1'), true]);
  });

  it.each<[string, Json, number]>([
    ['other things', { hello: 'world' }, 422],
    ['an empty list', [], 422],
    ['rows whose events are compressed', [{ session_id: 's', seq: 0, event_json: null }], 422],
  ])('sent as %s is refused', async (_name, body, status) => {
    const { webhook } = await register();
    expect((await sendWebhook(webhook.path, body)).status).toBe(status);
  });

  it('of a signed agent needs a signature', async () => {
    const { webhook } = await register({ signed: true });
    expect([(await sendWebhook(webhook.path, ROWS)).status, (await post('/webhook', ROWS)).status]).toEqual([401, 401]);
  });
});
