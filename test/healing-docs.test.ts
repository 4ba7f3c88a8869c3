import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json, JsonObject } from '../src/core/json.ts';
import { type DocumentServer, startDocumentServer } from './support/document-server.ts';
import { type HttpFixture, startHttpApp, type Tenant } from './support/http-app.ts';
import { type LangGraphStandIn, startLangGraphStandIn } from './support/langgraph-server.ts';
import { N8N_KEY, type N8nServer, startN8nServer } from './support/n8n-server.ts';
import { storeDetection } from './support/stored-detection.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/healing.md'), 'utf8');

interface Request extends JsonObject {
  executor: string;
  target: JsonObject;
  changes: JsonObject[];
}

/** The bodies of the page that plan an operation. */
const REQUESTS = [...PAGE.matchAll(/^```json\n(.*?)^```/gms)]
  .map(([, text]) => JSON.parse(text!) as Request)
  .filter(({ executor }) => executor !== undefined);

/** The contents that the page describes. */
const FILES: Readonly<Record<string, string>> = {
  'planner.yaml': 'prompt: |\n  Find hotels.\nlimit: 24\n',
  'agents.json': '{\n  "agents": [{ "name": "planner", "max_rounds": 24 }]\n}\n',
  'AGENTS.md': '# Rules\n\nSearch until you find a result.\n',
  'recipes.yml': 'app:\n  name: Recipes\n  mode: chat\nmodel_config:\n  pre_prompt: Answer every question.\n',
};
const WORKFLOW: JsonObject = {
  id: 'wfHotels',
  name: 'Hotels',
  active: true,
  isArchived: false,
  nodes: [
    { id: 'a', name: 'Search', type: 'n8n-nodes-base.httpRequest', parameters: { url: 'https://hotels.example.com' } },
    { id: 'b', name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', parameters: { text: 'Find hotels.' } },
  ],
  connections: { Search: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
};
const CONFIG = { recursion_limit: 24, configurable: { system_prompt: 'Find hotels.' } };

let root: string;
let n8n: N8nServer;
let graph: LangGraphStandIn;
let server: DocumentServer;
let http: HttpFixture;
let tenant: Tenant;
let registered: JsonObject;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
  [n8n, graph, server] = [
    await startN8nServer(),
    await startLangGraphStandIn(),
    await startDocumentServer({ limit: 24 }),
  ];
  n8n.workflows = [structuredClone(WORKFLOW)];
  const assistant = { assistant_id: 'team-1', graph_id: 'team', version: 1, context: {}, name: 'team' };
  graph.assistants.push({ ...assistant, config: structuredClone(CONFIG), metadata: { created_by: 'system' } });
  const alerts = { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] };
  http = await startHttpApp({}, { healingRoots: [{ folder: root, tenantId: null }], alerts });
  tenant = await http.newTenant();
  await storeDetection(http.app.store.db, tenant.tenantId, 'det_one');
  const instance = await post('/flowplatform/instances', { name: 'home', url: n8n.url, api_key: N8N_KEY });
  const deployment = await post('/graphruntime/deployments', { name: 'team', url: graph.url });
  const { deployment_id } = deployment.json;
  const newAssistant = { name: 'team', deployment_id, graph_id: 'team' };
  const { assistant_id } = (await post('/graphruntime/assistants', newAssistant)).json;
  registered = { instance_id: instance.json.instance_id, assistant_id, url: server.url };
});
afterAll(async () => {
  await http.close();
  for (const one of [n8n, graph, server]) await one.close();
  rmSync(root, { recursive: true, force: true });
});

const post = (path: string, body: Json = {}) =>
  http.send({ method: 'POST', path: `/api/v1${path}`, credential: tenant.apiKey, body });
const operations = () => `/tenants/${tenant.tenantId}/healing/operations`;

/** Ids and addresses are those of this test; everything else is taken from the page. */
function here({ target, ...rest }: Request): JsonObject {
  const own = Object.entries(registered).filter(([name]) => name in target);
  return { ...rest, detection_id: 'det_one', target: { ...target, ...Object.fromEntries(own) } };
}

it('docs/healing.md shows a request for every executor', () => {
  const rows = PAGE.split('## Executors\n')[1]!.split('\n## ')[0]!;
  const named = [...rows.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name!);
  const accepted = [...named].filter((name) => name !== 'executor').sort();
  expect([...new Set(REQUESTS.map(({ executor }) => executor))].sort()).toEqual(accepted);
});

const RUN = REQUESTS.map((request) => [request.executor, JSON.stringify(request.target), request] as const);

it.each(RUN)('%s %s is planned, executed and rolled back', async (executor, _, request) => {
  const made = await post(operations(), here(request));
  expect([made.status, made.json?.status], made.text).toEqual([201, 'pending_approval']);
  const { operation_id: id, before, after } = made.json;
  expect(before === after, 'a change, except by hand').toBe(executor === 'manual');
  expect((await post(`${operations()}/${id}/approve`)).status).toBe(200);
  const executed = await post(`${operations()}/${id}/execute`);
  if (executor === 'manual') {
    const resolved = await post(`${operations()}/${id}/resolve`, { outcome: 'applied' });
    return expect(resolved.json.status, resolved.text).toBe('applied');
  }
  expect(executed.json.status, executed.text).toBe('applied');
  const back = await post(`${operations()}/${id}/rollback`);
  expect(back.json.status, back.text).toBe('rolled_back');
});

it.each(RUN.filter(([executor]) => executor !== 'manual'))(
  '%s %s with a change that does not apply is rejected',
  async (_e, _t, request) => {
    const changes = request.changes.map((change) => ({
      ...change,
      before: 'Not there.',
      after: `x${String(change.after)}`,
    }));
    const response = await post(operations(), here({ ...request, changes }));
    expect(response.status, response.text).toBe(422);
  },
);
