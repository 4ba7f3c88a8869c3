import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { openClawTraceId } from '../formats/openclaw/session-span.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/openclaw');
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

const tell = (path: string, body: Json) =>
  http.send({ method: 'POST', path, body: Buffer.from(JSON.stringify(body)), headers: {} });
const traceOf = (session = SESSION) => get(`/tenants/${tenant.tenantId}/traces/${openClawTraceId(session)}`);

describe('instances and agents of OpenClaw', () => {
  it('are registered, an agent once an instance', async () => {
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
    ['an agent of no instance', '/agents', { name: 'x', external_id: 'x', instance_id: 'ins_none' }, '/instance_id'],
    ['an instance with an address that is none', '/instances', { name: 'x', url: 'home' }, '/url'],
  ])('%s is refused', async (_name, path, body, pointer) => {
    const answer = await post(path, body);
    expect([answer.status, answer.json.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('a session of OpenClaw', () => {
  it('grows as its rows come, and is there once', async () => {
    const { webhook } = await register();
    const half = Math.ceil(ROWS.length / 2);
    await tell(webhook.path, ROWS.slice(0, half));
    const before = (await traceOf()).spans.length;
    await tell(webhook.path, ROWS.slice(half));
    const after = await traceOf();
    expect(after.spans.length).toBeGreaterThan(before);
    await tell(webhook.path, ROWS);
    expect((await traceOf()).spans.length).toBe(after.spans.length);
  });

  it.each<[string, Json, number]>([
    ['other things', { hello: 'world' }, 422],
    ['rows whose events are compressed', [{ session_id: 's', seq: 0, event_json: null }], 422],
  ])('told as %s is refused', async (_name, body, status) => {
    const { webhook } = await register();
    expect((await tell(webhook.path, body)).status).toBe(status);
  });

  it('of a signed agent needs a signature', async () => {
    const { webhook } = await register({ signed: true });
    expect([(await tell(webhook.path, ROWS)).status, (await post('/webhook', ROWS)).status]).toEqual([401, 401]);
  });
});
