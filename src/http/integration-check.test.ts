import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DIFY_KEY, type DifyServer, startDifyServer } from '../../test/support/dify-server.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { type LangGraphStandIn, startLangGraphStandIn } from '../../test/support/langgraph-server.ts';
import { N8N_KEY, type N8nServer, startN8nServer } from '../../test/support/n8n-server.ts';
import { freePort } from '../../test/support/served.ts';
import type { JsonObject } from '../core/json.ts';

let http: HttpFixture;
let tenant: Tenant;
let n8n: N8nServer;
let dify: DifyServer;
let langgraph: LangGraphStandIn;
beforeAll(async () => {
  http = await startHttpApp();
});
beforeEach(async () => {
  tenant = await http.newTenant();
  [n8n, dify, langgraph] = await Promise.all([startN8nServer(), startDifyServer(), startLangGraphStandIn()]);
});
afterEach(() => Promise.all([n8n.close(), dify.close(), langgraph.close()]));
afterAll(() => http.close());

async function register(path: string, body: JsonObject): Promise<string> {
  const made = await http.send({ method: 'POST', path: `/api/v1/${path}`, credential: tenant.apiKey, body });
  expect(made.status, made.text).toBe(201);
  const ids: JsonObject = made.json;
  const id = ids.registration_id ?? ids.app_id ?? ids.deployment_id ?? ids.instance_id;
  return String(id);
}

const check = (id: string, credential = tenant.apiKey) =>
  http.send({ method: 'POST', path: `/api/v1/integrations/${id}/check`, credential });

describe('POST /integrations/{registration_id}/check', () => {
  it('reports that n8n accepts the key, after one read', async () => {
    const id = await register('flowplatform/instances', { name: 'home', url: n8n.url, api_key: N8N_KEY });
    expect((await check(id)).json).toEqual({ is_connected: true, problem: null });
    expect(n8n.requests).toHaveLength(1);
    expect(n8n.requests[0]).toMatch(/^GET \/api\/v1\/workflows\?.*limit=1/);
  });

  it('reports that Dify accepts the key of an app', async () => {
    const instance_id = await register('llmapps/instances', { name: 'dify', url: dify.url });
    const id = await register('llmapps/apps', { name: 'bot', instance_id, api_key: DIFY_KEY });
    expect((await check(id)).json).toEqual({ is_connected: true, problem: null });
    expect(dify.requests).toEqual(['GET /v1/workflows/logs?page=1&limit=1']);
  });

  it('reports that LangGraph answers', async () => {
    langgraph.apiKey = 'lg-key';
    const id = await register('graphruntime/deployments', { name: 'graph', url: langgraph.url, api_key: 'lg-key' });
    expect((await check(id)).json).toEqual({ is_connected: true, problem: null });
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    [
      'n8n refuses the key',
      () => register('flowplatform/instances', { name: 'a', url: n8n.url, api_key: 'wrong' }),
      /refuses the API key \(401/,
    ],
    [
      'no key is stored',
      () => register('flowplatform/instances', { name: 'a', url: n8n.url }),
      /has no api_key; store one first/,
    ],
    [
      'nothing listens at the URL',
      async () =>
        register('flowplatform/instances', { name: 'a', url: `http://127.0.0.1:${await freePort()}`, api_key: 'k' }),
      /n8n cannot be reached/,
    ],
    [
      'another program answers',
      () => register('flowplatform/instances', { name: 'a', url: langgraph.url, api_key: N8N_KEY }),
      /no public API of n8n at this address/,
    ],
    [
      'a Dify app belongs to no instance',
      () => register('llmapps/apps', { name: 'bot', api_key: DIFY_KEY }),
      /belongs to no instance/,
    ],
    [
      'LangGraph refuses the credentials',
      () => {
        langgraph.apiKey = 'lg-key';
        return register('graphruntime/deployments', { name: 'graph', url: langgraph.url, api_key: 'wrong' });
      },
      /does not accept its credentials \(403\)/,
    ],
    [
      'the platform only sends',
      () => register('agentsession/instances', { name: 'gateway' }),
      /never calls OpenClaw for this kind of registration: instance/,
    ],
    [
      'the kind only sends',
      () => register('flowplatform/workflows', { name: 'Pots', external_id: 'w1' }),
      /never calls n8n for this kind of registration: workflow/,
    ],
  ])('reports the problem when %s', async (_, made, problem) => {
    const answer = await check(await made());
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ is_connected: false, problem: expect.stringMatching(problem) });
    expect(answer.text).not.toContain('wrong');
  });

  it('is for a registration of the own tenant, and needs the scope write', async () => {
    const id = await register('flowplatform/instances', { name: 'home', url: n8n.url, api_key: N8N_KEY });
    const other = await http.newTenant('other');
    expect((await check(id, other.apiKey)).status).toBe(404);
    expect((await check(id, await http.newKey(tenant.tenantId, ['read']))).status).toBe(403);
    expect(n8n.requests).toEqual([]);
  });
});
