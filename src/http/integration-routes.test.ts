import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { executionTraceId } from '../formats/n8n/execution-span.ts';

const FLOW = '/api/v1/flowplatform';
const AT = 1_768_478_400_000;

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
});
beforeEach(async () => {
  tenant = await http.newTenant('desk');
});
afterAll(() => http.close());

const fixture = (name: string) => readFileSync(join(import.meta.dirname, `../../test/fixtures/n8n/${name}.json`));
const post = (path: string, body: Json, credential: string | null = tenant.apiKey) =>
  http.send({ method: 'POST', path: `/api/v1${path}`, credential, body });

async function register(name = 'Parcels', more: JsonObject = {}) {
  const answer = await post('/flowplatform/workflows', { name, external_id: name, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as { registration_id: string; webhook: { path: string; secret: string } };
}

let nonces = 0;
function signed(secret: string, body: Buffer, change: { nonce?: string; at?: number } = {}): Record<string, string> {
  const timestamp = String(Math.floor((change.at ?? http.clock.now()) / 1000));
  nonces += 1;
  const nonce = change.nonce ?? `nonce-number-${String(nonces).padStart(8, '0')}`;
  const signature = createHmac('sha256', secret).update(`${timestamp}.${nonce}.`).update(body).digest('hex');
  return { 'X-SVC-Signature': `sha256=${signature}`, 'X-SVC-Timestamp': timestamp, 'X-SVC-Nonce': nonce };
}

it.each([
  ['kind=abc', 400],
  ['kind=app&integration=flowplatform', 400],
  ['kind=workflow', 200],
])('the list filtered by %s answers %d', async (query, status) => {
  const answer = await http.send({ path: `/api/v1/integrations?${query}`, credential: tenant.apiKey });
  expect([answer.status, answer.json.errors?.[0].pointer], answer.text).toEqual([
    status,
    status === 400 ? '?kind' : undefined,
  ]);
});

function execution(id: string, more: JsonObject = {}): JsonObject {
  const run = (at: number) => ({
    startTime: AT + at,
    executionTime: 5,
    executionStatus: 'success',
    executionIndex: at,
  });
  return {
    id,
    mode: 'webhook',
    status: 'success',
    startedAt: new Date(AT).toISOString(),
    stoppedAt: new Date(AT + 50).toISOString(),
    workflowId: 'w1',
    workflowData: { id: 'w1', name: 'Pots', nodes: [], connections: {} },
    data: { resultData: { runData: { Hook: [run(0)], Last: [run(1)] }, lastNodeExecuted: 'Last' } },
    ...more,
  };
}

const bytes = (value: Json) => Buffer.from(JSON.stringify(value));
const send = (path: string, body: Buffer, headers: Record<string, string> = {}, credential: string | null = null) =>
  http.send({ method: 'POST', path, body, headers, credential });
const traceCount = async () =>
  (await http.send({ path: `/api/v1/tenants/${tenant.tenantId}/traces`, credential: tenant.apiKey })).json.total;

describe('a signed webhook under an API key', () => {
  it('is stored if its signature is valid', async () => {
    const { webhook } = await register();
    const body = bytes(execution('1'));
    const answer = await send(`${FLOW}/webhook`, body, signed(webhook.secret, body), tenant.apiKey);
    expect([answer.status, answer.json]).toEqual([
      202,
      {
        accepted_spans: 3,
        rejected_spans: 0,
        trace_ids: [executionTraceId({ workflowId: 'w1', executionId: '1' })],
        errors: [],
      },
    ]);
    expect(await traceCount()).toBe(1);
  });

  it('may be signed with the secret of any registration of the tenant until it is removed or rotated', async () => {
    const [one, two] = [await register('one'), await register('two')];
    const body = bytes(execution('1'));
    const status = async (secret: string) =>
      (await send(`${FLOW}/webhook`, body, signed(secret, body), tenant.apiKey)).status;
    expect([await status(one.webhook.secret), await status(two.webhook.secret)]).toEqual([202, 202]);
    await http.send({
      method: 'DELETE',
      path: `/api/v1/integrations/${one.registration_id}`,
      credential: tenant.apiKey,
    });
    const rotated = await post(`/integrations/${two.registration_id}/rotate`, {});
    expect(rotated.status, rotated.text).toBe(200);
    expect([await status(one.webhook.secret), await status(two.webhook.secret)]).toEqual([401, 401]);
    expect(await status(rotated.json.webhook.secret)).toBe(202);
  });

  it.each([
    ['without signature', async () => ({}), 401],
    [
      'signed with the secret of another tenant',
      async (body: Buffer) => signed((await foreign()).webhook.secret, body),
      401,
    ],
    ['that was changed in transit', async (_body: Buffer, secret: string) => signed(secret, Buffer.from('{}')), 401],
    [
      'that is too old',
      async (body: Buffer, secret: string) => signed(secret, body, { at: http.clock.now() - 301_000 }),
      401,
    ],
  ])('is refused %s', async (_name, headersOf, status) => {
    const { webhook } = await register();
    const body = bytes(execution('1'));
    const answer = await send(`${FLOW}/webhook`, body, await headersOf(body, webhook.secret), tenant.apiKey);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(await traceCount()).toBe(0);
  });

  async function foreign() {
    const other = await http.newTenant('other');
    const answer = await post('/flowplatform/workflows', { name: 'x', external_id: 'x' }, other.apiKey);
    return answer.json as { webhook: { secret: string } };
  }

  it('has a nonce that is unique per tenant for ten minutes', async () => {
    const { webhook } = await register();
    const body = bytes(execution('1'));
    const nonce = 'the-nonce-of-this-test';
    const headers = signed(webhook.secret, body, { nonce });
    const status = async (given: Record<string, string>) =>
      (await send(`${FLOW}/webhook`, body, given, tenant.apiKey)).status;
    expect([await status(headers), await status(headers)]).toEqual([202, 409]);
    http.clock.advance(299_000);
    expect(await status(headers)).toBe(409);
    http.clock.advance(302_000);
    expect(await status(headers)).toBe(401);
    expect(await status(signed(webhook.secret, body, { nonce }))).toBe(202);
  });

  it('that cannot be stored does not use up its nonce', async () => {
    const { webhook } = await register();
    const body = Buffer.from('{"no": "execution"}');
    const headers = signed(webhook.secret, body);
    const status = async () => (await send(`${FLOW}/webhook`, body, headers, tenant.apiKey)).status;
    expect([await status(), await status()]).toEqual([422, 422]);
  });
});

describe('a webhook of another platform under an API key', () => {
  const RUN = {
    run_id: '11111111-2222-4333-8444-555555555555',
    assistant_id: 'a',
    status: 'success',
    created_at: '2026-01-15T11:59:00.000Z',
    metadata: { graph_id: 'desk' },
  };

  it('needs no signature', async () => {
    const answer = await send('/api/v1/graphruntime/webhook', bytes(RUN), {}, tenant.apiKey);
    expect([answer.status, answer.json?.accepted_spans]).toEqual([202, 1]);
  });

  it('must be valid if present', async () => {
    const answer = await send('/api/v1/graphruntime/webhook', bytes(RUN), signed('x', bytes(RUN)), tenant.apiKey);
    expect(answer.status).toBe(401);
  });

  it('may have any content type', async () => {
    const headers = { 'Content-Type': 'text/plain;charset=UTF-8' };
    const answer = await send('/api/v1/graphruntime/webhook', bytes(RUN), headers, tenant.apiKey);
    expect(answer.status).toBe(202);
  });

  it.each([
    [
      'llmapps',
      {
        event: 'workflow_finished',
        workflow_run_id: 'r',
        data: { id: 'r', status: 'succeeded', created_at: 1_768_478_300, finished_at: 1_768_478_400 },
      },
    ],
    ['agentsession', { type: 'session', version: 4, id: 's', timestamp: '2026-01-15T11:59:00.000Z', cwd: '/' }],
  ])('of %s is read', async (integration, body) => {
    const answer = await send(`/api/v1/${integration}/webhook`, bytes(body), {}, tenant.apiKey);
    expect([answer.status, answer.json?.accepted_spans], answer.text).toEqual([202, 1]);
  });
});

describe('an external id', () => {
  const SECRET = `sk-proj-${'Ab3dEf9hIj'.repeat(5)}`;

  it.each([
    ['/flowplatform/workflows', 'external_id', {}],
    ['/agentsession/agents', 'external_id', {}],
    ['/llmapps/apps', 'external_id', {}],
    ['/graphruntime/assistants', 'graph_id', { external_id: 'main' }],
  ] as [string, string, JsonObject][])(
    'that is a secret is redacted in responses and in the store: %s',
    async (path, member, more) => {
      const home = await post('/graphruntime/deployments', { name: 'Home', url: 'http://127.0.0.1:9' });
      const parent: JsonObject = path.startsWith('/graphruntime') ? { deployment_id: home.json.deployment_id } : {};
      const created = await post(path, { name: 'Parcels', [member]: SECRET, ...more, ...parent });
      expect(created.status, created.text).toBe(201);
      expect(created.json[member]).toContain('[redacted:');
      const id = Object.values(created.json as JsonObject)[0];
      const changed = await http.send({
        method: 'PUT',
        path: `/api/v1/integrations/${id}`,
        credential: tenant.apiKey,
        body: { details: { [member]: `${SECRET}2` } },
      });
      expect(changed.status, changed.text).toBe(200);
      expect(changed.json.details[member]).toContain('[redacted:');
      const listed = await http.send({ path: `/api/v1${path}`, credential: tenant.apiKey });
      const stored = await http.app.store.db.selectFrom('registrations').selectAll().execute();
      const texts = [created.text, changed.text, listed.text, JSON.stringify([stored, http.logLines])];
      for (const text of texts) expect(text).not.toContain(SECRET);
    },
  );

  it.each(['wfPots', 'nYx3kQ8vTz0LmB7c', '0b5f0f0e-7b43-4a3f-9a1c-2f6f6f1f7a10', '1042'])(
    'is unchanged if it is not a secret: %s',
    async (id) => {
      const { json } = await post('/flowplatform/workflows', { name: 'Parcels', external_id: id });
      expect(json.external_id).toBe(id);
    },
  );
});

describe('the webhook URL of a registration', () => {
  it('accepts webhooks without key and signature', async () => {
    const { webhook, registration_id } = await register();
    const answer = await send(webhook.path, fixture('error-notice'));
    expect([answer.status, answer.json.accepted_spans], answer.text).toEqual([202, 2]);
    const { items } = (await http.send({ path: `${FLOW}/workflows`, credential: tenant.apiKey })).json;
    expect(items).toMatchObject([{ registration_id, last_event_at: new Date(http.clock.now()).toISOString() }]);
  });

  it('is valid for its tenant only', async () => {
    const other = await http.newTenant('other');
    const { webhook } = await register();
    await send(webhook.path, bytes(execution('1')));
    const path = `/api/v1/tenants/${other.tenantId}/traces`;
    expect((await http.send({ path, credential: other.apiKey })).json.total).toBe(0);
    expect(await traceCount()).toBe(1);
  });

  it('of a signed registration needs the signature, too', async () => {
    const { webhook } = await register('signed', { signed: true });
    const body = bytes(execution('1'));
    expect((await send(webhook.path, body)).status).toBe(401);
    expect((await send(webhook.path, body, signed(webhook.secret, body))).status).toBe(202);
  });

  it.each<[string, (path: string) => string]>([
    ['with another token', (path) => path.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['with an invalid token', () => `${FLOW}/webhook/nothing`],
    ['of another platform', (path) => path.replace('flowplatform', 'llmapps')],
  ])('is 404 %s', async (_name, change) => {
    const { webhook } = await register();
    const answer = await send(change(webhook.path), bytes(execution('1')));
    expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
  });

  it('is invalid after it is rotated or its registration is removed', async () => {
    const { webhook, registration_id } = await register();
    const { json } = await post(`/integrations/${registration_id}/rotate`, {});
    const status = async (path: string) => (await send(path, bytes(execution('1')))).status;
    expect([await status(webhook.path), await status(json.webhook.path)]).toEqual([404, 202]);
    await http.send({ method: 'DELETE', path: `/api/v1/integrations/${registration_id}`, credential: tenant.apiKey });
    expect(await status(json.webhook.path)).toBe(404);
  });

  it('is in no log, response, list or metric', async () => {
    const { webhook, registration_id } = await register();
    const token = webhook.path.split('/').at(-1)!;
    const answers = [
      await send(webhook.path, bytes(execution('1'))),
      await send(webhook.path, Buffer.from('nonsense')),
      await send(`${webhook.path}x`, bytes(execution('1'))),
      await http.send({ method: 'PATCH', path: webhook.path }),
      await http.send({ path: `/api/v1/integrations/${registration_id}`, credential: tenant.apiKey }),
      await http.send({ path: '/api/v1/integrations', credential: tenant.apiKey }),
      await http.send({ path: `${FLOW}/workflows`, credential: tenant.apiKey }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 400, 404, 405, 200, 200, 200]);
    const seen = JSON.stringify([answers.map(({ text, headers }) => [text, headers]), http.logLines]);
    expect(seen).toContain('/webhook/***');
    expect(seen + (await http.metrics.metrics())).not.toContain(token.slice(8));
    expect(seen).not.toContain(webhook.secret);
  });

  it('is redacted if a platform echoes it', async () => {
    const { webhook } = await register();
    const echoed = execution('1', { status: 'error' });
    const { resultData } = echoed.data as { resultData: JsonObject };
    const echoedMessage = `POST https://misstep.example.com${webhook.path} was refused, x-api-key: k9-abcdefgh12345678`;
    resultData.error = {
      message: echoedMessage,
      context: { request: { headers: { 'x-api-key': 'k9-abcdefgh12345678' } } },
    };
    await send(webhook.path, bytes(echoed));
    const traceId = executionTraceId({ workflowId: 'w1', executionId: '1' });
    const { text } = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/${traceId}`,
      credential: tenant.apiKey,
    });
    expect(text).toContain('[redacted:api_key');
    expect(text).not.toContain(webhook.path.split('/').at(-1)!.slice(8));
    expect(text).not.toContain('k9-abcdefgh');
  });
});

describe('a run', () => {
  const spansOf = async () => {
    const traceId = executionTraceId({ workflowId: 'w1', executionId: '1' });
    const path = `/api/v1/tenants/${tenant.tenantId}/traces/${traceId}`;
    return (await http.send({ path, credential: tenant.apiKey })).json.spans.length;
  };

  it('that is sent again is stored once and grows with new spans', async () => {
    const { webhook } = await register();
    const notice = bytes({ executionId: '1', workflowId: 'w1', data: { rows: 2 } });
    await send(webhook.path, notice);
    expect(await spansOf()).toBe(1);
    await send(webhook.path, bytes(execution('1')));
    await send(webhook.path, bytes(execution('1')));
    expect([await traceCount(), await spansOf()]).toEqual([1, 3]);
  });

  it('that is stored in full is not overwritten by a notice', async () => {
    const { webhook } = await register();
    await send(webhook.path, bytes(execution('1')));
    const late = await send(webhook.path, bytes({ executionId: '1', workflowId: 'w1', data: { error: 'late' } }));
    expect([late.status, late.json.accepted_spans, await spansOf()]).toEqual([202, 0, 3]);
  });

  it('of an error workflow is ignored', async () => {
    const { webhook } = await register();
    const answer = await send(webhook.path, bytes(execution('2', { mode: 'error' })));
    expect([answer.status, answer.json.trace_ids, await traceCount()]).toEqual([202, [], 0]);
  });
});

describe('a body that cannot be read', () => {
  it.each<[string, Buffer, number, string]>([
    ['that is not JSON', Buffer.from('<html>'), 400, 'malformed'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'malformed'],
    ['that is empty', Buffer.from(' '), 400, 'malformed'],
    [
      'that is nested too deep',
      Buffer.from(`{"executionId":"1","workflowId":"w","data":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
      400,
      'malformed',
    ],
    ['of another kind', Buffer.from('{"a":1}'), 422, 'invalid_body'],
    ['without ids', Buffer.from('{"execution":{"error":{"message":"x"}},"workflow":{}}'), 422, 'invalid_body'],
  ])('%s is refused', async (_name, body, status, code) => {
    const { webhook } = await register();
    const answer = await send(webhook.path, body);
    expect([answer.status, answer.json.code], answer.text).toEqual([status, code]);
  });

  it('that is too large is refused', async () => {
    const { webhook } = await register();
    const small = await startHttpApp({ maxSentBytes: 100 });
    try {
      const other = await small.newTenant();
      const answer = await small.send({ path: `${FLOW}/webhook`, body: Buffer.alloc(101), credential: other.apiKey });
      expect([answer.status, webhook.path.length > 0]).toEqual([413, true]);
    } finally {
      await small.close();
    }
  });
});

describe('a registration', () => {
  const instance = { name: 'home', url: 'http://127.0.0.1:5678/', api_key: 'n8n-key-of-this-test' };

  it('stores its credentials encrypted and never returns them', async () => {
    const made = await post('/flowplatform/instances', instance);
    expect(made.json).toMatchObject({ name: 'home', url: 'http://127.0.0.1:5678', credentials: ['api_key'] });
    const id = made.json.instance_id;
    const lists = [`${FLOW}/instances`, '/api/v1/integrations', `/api/v1/integrations/${id}`];
    for (const path of lists) {
      const { text } = await http.send({ path, credential: tenant.apiKey });
      expect(text).toContain(id);
      expect(text).not.toContain('n8n-key-of-this-test');
    }
    expect(made.text).not.toContain('n8n-key-of-this-test');
    const stored = JSON.stringify(await http.app.store.db.selectFrom('registrations').selectAll().execute());
    expect(stored).toContain(id);
    expect(stored).not.toMatch(/n8n-key-of-this-test|whsec_/);
    const row = await http.services.registrations.get(tenant.tenantId, id);
    expect(http.services.registrations.credentialsOf(row)).toEqual({ api_key: 'n8n-key-of-this-test' });
  });

  it('is changed member by member', async () => {
    const { json } = await post('/flowplatform/instances', instance);
    const change = (body: Json) =>
      http.send({ method: 'PUT', path: `/api/v1/integrations/${json.instance_id}`, credential: tenant.apiKey, body });
    expect((await change({ name: 'work', details: { sync_every_minutes: 5 } })).json).toMatchObject({
      name: 'work',
      url: 'http://127.0.0.1:5678',
      details: { sync_every_minutes: 5 },
      credentials: ['api_key'],
    });
    expect((await change({ credentials: { api_key: null } })).json.credentials).toEqual([]);
    expect((await change({ details: { sync_every_minutes: 0 } })).json.errors).toMatchObject([
      { pointer: '/details/sync_every_minutes' },
    ]);
    expect((await change({ details: { other: 1 } })).json.errors).toMatchObject([{ pointer: '/details/other' }]);
    expect((await change({ credentials: { other: 'x' } })).json.errors).toMatchObject([
      { pointer: '/credentials/other' },
    ]);
    const withQuery = await change({ url: 'http://127.0.0.1:5678/?a=1' });
    expect([withQuery.status, withQuery.json.errors]).toEqual([422, [{ pointer: '/url', message: 'takes no query' }]]);
    expect((await change({ url: null })).json.errors).toMatchObject([{ pointer: '/url' }]);
  });

  it('is changed with the fields that it was registered with', async () => {
    const parent = await post('/flowplatform/instances', instance);
    const change = (id: string, body: Json) =>
      http.send({ method: 'PUT', path: `/api/v1/integrations/${id}`, credential: tenant.apiKey, body });
    const id = parent.json.instance_id as string;
    expect((await change(id, { ...instance, name: 'work', sync_every_minutes: 5 })).json).toMatchObject({
      name: 'work',
      details: { sync_every_minutes: 5 },
      credentials: ['api_key'],
    });
    expect((await change(id, { api_key: null })).json.credentials).toEqual([]);
    expect((await change(id, { api_key: 'k-2' })).json.credentials).toEqual(['api_key']);
    expect((await change(id, { sync_every_minutes: 0 })).json.errors).toMatchObject([
      { pointer: '/sync_every_minutes' },
    ]);
    expect((await change(id, { external_id: 'x' })).json.errors).toMatchObject([{ pointer: '/external_id' }]);
    expect((await change(id, { nothing: 1 })).json.errors).toMatchObject([
      { pointer: expect.stringContaining('nothing') },
    ]);
    const child = await post('/flowplatform/workflows', { name: 'x', external_id: 'x' });
    const moved = await change(child.json.registration_id as string, {
      instance_id: id,
      external_id: 'y',
      signed: true,
    });
    expect(moved.json).toMatchObject({ parent_id: id, details: { external_id: 'y' }, signed: true });
    const lost = await change(child.json.registration_id as string, { instance_id: 'ins_none' });
    expect([lost.status, lost.json.errors[0]?.pointer]).toEqual([422, '/instance_id']);
  });

  it('is deleted with its dependent rows', async () => {
    const { json } = await post('/flowplatform/instances', instance);
    const child = await post('/flowplatform/workflows', { name: 'x', external_id: 'x', instance_id: json.instance_id });
    expect(child.json.instance_id).toBe(json.instance_id);
    await http.send({ method: 'DELETE', path: `/api/v1/integrations/${json.instance_id}`, credential: tenant.apiKey });
    expect((await http.send({ path: '/api/v1/integrations', credential: tenant.apiKey })).json.total).toBe(0);
  });

  it('of one workflow is created once per instance', async () => {
    await register('same');
    const again = await post('/flowplatform/workflows', { name: 'again', external_id: 'same' });
    expect([again.status, again.json.code]).toEqual([409, 'conflict']);
  });

  it.each<[string, JsonObject, string]>([
    ['no URL', { ...instance, url: 'n8n' }, '/url'],
    ['another scheme', { ...instance, url: 'file:///etc/passwd' }, '/url'],
    ['a password in its URL', { ...instance, url: 'https://a:b@n8n.example.com' }, '/url'],
    ['a user name in its URL', { ...instance, url: 'https://a@n8n.example.com' }, '/url'],
    ['a query in its URL', { ...instance, url: 'https://n8n.example.com/?token=1' }, '/url'],
    ['an empty query in its URL', { ...instance, url: 'https://n8n.example.com?' }, '/url'],
    ['a fragment in its URL', { ...instance, url: 'https://n8n.example.com/#home' }, '/url'],
    ['the address of a cloud’s metadata', { ...instance, url: 'http://169.254.169.254/' }, '/url'],
  ])('with %s is refused', async (_name, body, pointer) => {
    const answer = await post('/flowplatform/instances', body);
    expect([answer.status, answer.json.errors[0]?.pointer]).toEqual([422, pointer]);
  });

  it('with a query that was stored by an earlier version keeps working until its URL is changed', async () => {
    const { json } = await post('/flowplatform/instances', instance);
    const { db } = http.app.store;
    const url = 'http://127.0.0.1:5678/?a=1';
    await db.updateTable('registrations').set({ url }).where('registration_id', '=', json.instance_id).execute();
    const path = `/api/v1/integrations/${json.instance_id}`;
    const change = (body: Json) => http.send({ method: 'PUT', path, credential: tenant.apiKey, body });
    expect((await change({ name: 'renamed' })).json).toMatchObject({ name: 'renamed', url });
    expect((await change({ url })).status).toBe(422);
  });

  it.each(['flowplatform/instances', 'llmapps/instances', 'graphruntime/deployments', 'agentsession/instances'])(
    'of %s rejects a query',
    async (kind) => {
      const answer = await post(`/${kind}`, { name: 'x', url: 'https://platform.example/?a=1' });
      expect([answer.status, answer.json.errors]).toEqual([422, [{ pointer: '/url', message: 'takes no query' }]]);
    },
  );

  it('of an instance of another tenant or of a missing one is refused', async () => {
    const { registration_id } = await register('other');
    const other = await http.newTenant('other');
    const otherInstance = await post('/flowplatform/instances', instance, other.apiKey);
    for (const instance_id of [registration_id, otherInstance.json.instance_id, 'ins_none']) {
      const answer = await post('/flowplatform/workflows', { name: 'x', external_id: 'x', instance_id });
      expect([answer.status, answer.json.errors[0]?.pointer]).toEqual([422, '/instance_id']);
    }
  });
});

const CAPTURES = process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../shared/clients/captures');
const recorded = join(CAPTURES, 'n8n');

describe.skipIf(!existsSync(recorded))('a recording of a real n8n (captures/n8n)', () => {
  it('is stored as traces: the last node’s report, the error workflow’s body and the full execution', async () => {
    const { webhook } = await register();
    const sent = readFileSync(join(recorded, 'webhooks.jsonl'), 'utf8').trim().split('\n');
    const bodies = sent.map((line) => JSON.parse(line).body as Json);
    const { data } = JSON.parse(readFileSync(join(recorded, 'api-executions-includeData.json'), 'utf8'));
    const counts: number[] = [];
    for (const body of [...bodies, ...data]) {
      const answer = await send(webhook.path, bytes(body));
      expect(answer.status, answer.text).toBe(202);
      counts.push(answer.json.trace_ids.length);
    }
    // Two notices, then four executions, of which one is the error workflow's own.
    expect(counts).toEqual([1, 1, 1, 0, 1, 1]);
    expect(await traceCount()).toBe(3);
    const path = `/api/v1/tenants/${tenant.tenantId}/traces`;
    const { items } = (await http.send({ path, credential: tenant.apiKey })).json;
    const shown: string[] = [];
    for (const { trace_id } of items)
      shown.push((await http.send({ path: `${path}/${trace_id}`, credential: tenant.apiKey })).text);
    // Headers of failed and received requests are not stored.
    expect(shown.join()).not.toMatch(/user-agent|accept-encoding|"x-api-key"/);
  });
});
