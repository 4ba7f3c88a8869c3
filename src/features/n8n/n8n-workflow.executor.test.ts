import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { N8N_KEY, type N8nServer, startN8nServer } from '../../../test/support/n8n-server.ts';
import { sendJson } from '../../../test/support/send-json.ts';
import { storeDetection } from '../../../test/support/stored-detection.ts';
import type { Fix } from '../../core/detection.ts';
import type { Json, JsonObject } from '../../core/json.ts';

const PROMPT = 'Find hotels.';
const FIX: Fix = {
  fixType: 'prompt_change',
  title: 'Add a rule to the instructions',
  description: 'Add a rule.',
  rationale: 'It repeats itself.',
  confidence: 0.6,
  risk: 'low',
  changes: [{ target: 'instructions', format: 'text', before: PROMPT, after: `${PROMPT} Stop after two.` }],
  isBreaking: false,
  requiresTesting: true,
};
const POINTER = '/nodes/1/parameters/text';

let n8n: N8nServer;
let http: HttpFixture;
let tenant: Tenant;
let instanceId: string;
beforeEach(async () => {
  [n8n, http] = [await startN8nServer(), await startHttpApp()];
  tenant = await http.newTenant();
  n8n.workflows = [workflow()];
  const body = { name: 'home', url: n8n.url, api_key: N8N_KEY };
  const created = await http.send({
    method: 'POST',
    path: '/api/v1/flowplatform/instances',
    credential: tenant.apiKey,
    body,
  });
  instanceId = created.json.instance_id;
  await storeDetection(http.app.store.db, tenant.tenantId, 'det_one', { fixes: [FIX] });
});
afterEach(async () => {
  await http.close();
  await n8n.close();
});

function workflow(more: JsonObject = {}): JsonObject {
  return {
    id: 'wfHotels',
    name: 'Hotels',
    active: true,
    isArchived: false,
    versionId: 'version 0',
    updatedAt: '2026-01-01T00:00:00.000Z',
    tags: [],
    nodes: [
      { id: 'a', name: 'Hook', type: 'n8n-nodes-base.webhook', parameters: { path: 'hotels' } },
      { id: 'b', name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', parameters: { text: PROMPT } },
    ],
    connections: { Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1' },
    ...more,
  };
}

const promptNow = () => (n8n.workflows[0]!.nodes as { parameters: JsonObject }[])[1]!.parameters.text;
const target = () => ({ instance_id: instanceId, workflow_id: 'wfHotels', pointer: POINTER });
const post = (path: string, body: Json = {}) =>
  http.send({
    method: 'POST',
    path: `/api/v1/tenants/${tenant.tenantId}/healing/operations${path}`,
    credential: tenant.apiKey,
    body,
  });
const propose = (more: JsonObject = {}) =>
  post('', { detection_id: 'det_one', executor: 'n8n_workflow', target: { ...target(), ...more } });

async function approved(): Promise<string> {
  const created = await propose();
  expect(created.status, created.text).toBe(201);
  const { operation_id: id } = created.json;
  if (created.json.status === 'pending_approval') expect((await post(`/${id}/approve`)).status).toBe(200);
  return id;
}

describe('a workflow of n8n', () => {
  it('is changed, keeps its previous version, and is restored exactly', async () => {
    const before = structuredClone(n8n.workflows[0]!);
    const id = await approved();
    expect(promptNow()).toBe(PROMPT);
    const applied = await post(`/${id}/execute`);
    expect([applied.status, applied.json.status], applied.text).toEqual([200, 'applied']);
    expect(promptNow()).toBe(`${PROMPT} Stop after two.`);
    expect(n8n.workflows[0]).toMatchObject({ name: 'Hotels', active: true, connections: before.connections! });
    const back = await post(`/${id}/rollback`);
    expect([back.status, back.json.status], back.text).toEqual([200, 'rolled_back']);
    const { versionId: _v, updatedAt: _u, ...rest } = n8n.workflows[0]!;
    expect(rest).toEqual((({ versionId: _1, updatedAt: _2, ...same }) => same)(before));
    expect(JSON.stringify([applied.json, back.json])).not.toContain(N8N_KEY);
  });

  it('that was changed since is not changed', async () => {
    const id = await approved();
    n8n.workflows[0] = workflow({ name: 'Hotels and inns' });
    const executed = await post(`/${id}/execute`);
    expect(executed.status).toBe(409);
    expect([n8n.workflows[0].name, promptNow()]).toEqual(['Hotels and inns', PROMPT]);
  });

  it('with members in another order is the same', async () => {
    const id = await approved();
    await post(`/${id}/execute`);
    const { nodes, ...rest } = n8n.workflows[0]!;
    const turned = (nodes as JsonObject[]).map((node) => Object.fromEntries(Object.entries(node).reverse()));
    n8n.workflows[0] = { nodes: turned, ...rest };
    expect((await post(`/${id}/rollback`)).json.status).toBe('rolled_back');
    expect(promptNow()).toBe(PROMPT);
  });

  it.each<[string, () => void]>([
    [
      'that n8n refuses to change',
      () =>
        n8n.script.push(null, null, (response) =>
          sendJson(response, 400, { message: 'request/body/settings must NOT have additional properties' }),
        ),
    ],
    [
      'whose key was taken back',
      () => n8n.script.push((response) => sendJson(response, 401, { message: 'unauthorized' })),
    ],
  ])('%s is unchanged, and the error names the reason', async (_name, script) => {
    const id = await approved();
    script();
    const executed = await post(`/${id}/execute`);
    expect(executed.status).toBeGreaterThanOrEqual(400);
    expect(executed.status).toBeLessThan(500);
    expect(promptNow()).toBe(PROMPT);
  });

  it.each<[string, () => JsonObject, number]>([
    ['of another tenant’s instance', () => ({ instance_id: 'ins_none' }), 404],
    ['that is not there', () => ({ workflow_id: 'none' }), 404],
    ['at a place that is not there', () => ({ pointer: '/nodes/7/parameters/text' }), 422],
    ['without its id', () => ({ workflow_id: '' }), 422],
  ])('%s is refused', async (_name, more, status) => {
    const answered = await propose(more());
    expect([answered.status, n8n.requests.some((line) => line.startsWith('PUT'))], answered.text).toEqual([
      status,
      false,
    ]);
  });

  it('that is archived is rejected', async () => {
    n8n.workflows = [workflow({ isArchived: true })];
    expect((await propose()).status).toBe(409);
  });
});
