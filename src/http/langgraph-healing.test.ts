import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { type LangGraphStandIn, startLangGraphStandIn } from '../../test/support/langgraph-server.ts';
import { storeDetection } from '../../test/support/stored-detection.ts';
import type { Fix } from '../core/detection.ts';
import type { Json, JsonObject } from '../core/json.ts';

const LOWER: Fix = {
  fixType: 'config_change',
  title: 'Lower recursion_limit until planner → critic has an exit',
  description: 'Set recursion_limit from 24 to 6.',
  rationale: 'Rounds after the third brought the run no closer to its end.',
  confidence: 0.4,
  risk: 'medium',
  changes: [
    {
      target: 'recursion_limit of the run',
      format: 'json-patch',
      before: '{"recursion_limit":24}',
      after: '[{"op":"replace","path":"/recursion_limit","value":6}]',
    },
  ],
  isBreaking: false,
  requiresTesting: true,
};

let http: HttpFixture;
let graph: LangGraphStandIn;
let tenant: Tenant;
let deploymentId: string;
beforeEach(async () => {
  graph = await startLangGraphStandIn();
  graph.apiKey = 'key-of-the-deployment';
  graph.assistants.push(assistant('team-1', { recursion_limit: 24 }));
  http = await startHttpApp();
  tenant = await http.newTenant();
  await storeDetection(http.app.store.db, tenant.tenantId, 'det_one', { fixes: [LOWER] });
  const body = { name: 'team', url: graph.url, api_key: graph.apiKey };
  deploymentId = (await post('/graphruntime/deployments', body)).json.deployment_id;
});
afterEach(async () => {
  await http.close();
  await graph.close();
});

function assistant(id: string, config: JsonObject, more: JsonObject = {}): JsonObject {
  const metadata = { created_by: 'system' };
  return { assistant_id: id, graph_id: 'team', version: 1, config, context: {}, metadata, name: 'team', ...more };
}

const post = (path: string, body: Json = {}, credential = tenant.apiKey) =>
  http.send({ method: 'POST', path: `/api/v1${path}`, credential, body });
const operations = () => `/tenants/${tenant.tenantId}/healing/operations`;

async function register(more: JsonObject = {}): Promise<string> {
  const answer = await post('/graphruntime/assistants', {
    name: 'team',
    deployment_id: deploymentId,
    graph_id: 'team',
    ...more,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.assistant_id;
}

async function plan(target: JsonObject, changes?: Json) {
  const fixes = await http.send({
    path: `/api/v1/tenants/${tenant.tenantId}/detections/det_one/fixes`,
    credential: tenant.apiKey,
  });
  const what: JsonObject = changes ? { detection_id: 'det_one', changes } : { fix_id: fixes.json.items[0].fix_id };
  return post(operations(), { ...what, executor: 'langgraph_assistant', target });
}

const step = (id: string, name: string) => post(`${operations()}/${id}/${name}`);
const patchOf = (...ops: JsonObject[]): Json => [
  { target: 'assistant', format: 'json-patch', before: null, after: JSON.stringify(ops) },
];
const writes = () => graph.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

describe('the configuration of an assistant', () => {
  it('is changed by the fix of a loop and restored exactly', async () => {
    const created = await plan({ assistant_id: await register() });
    expect([created.status, created.json?.status], created.text).toEqual([201, 'pending_approval']);
    const id = created.json.operation_id;
    expect([JSON.parse(created.json.before), JSON.parse(created.json.after)]).toEqual([
      { config: { recursion_limit: 24 } },
      { config: { recursion_limit: 6 } },
    ]);
    expect(writes()).toEqual([]);
    await step(id, 'approve');
    expect((await step(id, 'execute')).json.status).toBe('applied');
    expect(graph.assistants[0]).toMatchObject({ config: { recursion_limit: 6 }, version: 2 });
    expect((await step(id, 'rollback')).json.status).toBe('rolled_back');
    expect(graph.assistants[0]).toMatchObject({ config: { recursion_limit: 24 }, version: 3 });
    expect(writes()).toEqual([{ config: { recursion_limit: 6 } }, { config: { recursion_limit: 24 } }]);
    expect(graph.requests.every(({ headers }) => headers['x-api-key'] === graph.apiKey)).toBe(true);
  });

  it('without a limit gets one, and a rollback removes it', async () => {
    graph.assistants = [assistant('team-1', { configurable: { model: 'small' } })];
    const { operation_id: id } = (await plan({ assistant_id: await register() })).json;
    await step(id, 'approve');
    await step(id, 'execute');
    expect(graph.assistants[0]!.config).toEqual({ configurable: { model: 'small' }, recursion_limit: 6 });
    await step(id, 'rollback');
    expect(graph.assistants[0]!.config).toEqual({ configurable: { model: 'small' } });
  });

  it.each<[string, boolean, JsonObject, Json[]]>([
    [
      'is not sent if only the config changes',
      false,
      { tone: 'dry' },
      [{ config: { configurable: { model: 'large' } } }],
    ],
    [
      'is not sent if it repeats the config',
      true,
      { model: 'small' },
      [{ config: { configurable: { model: 'large' } } }],
    ],
  ])('the context %s', async (_name, mirrorsContext, context, sent) => {
    graph.assistants = [assistant('team-1', { configurable: { model: 'small' } }, { context })];
    graph.mirrorsContext = mirrorsContext;
    const change = patchOf({ op: 'replace', path: '/configurable/model', value: 'large' });
    const { operation_id: id } = (await plan({ assistant_id: await register() }, change)).json;
    await step(id, 'approve');
    expect((await step(id, 'execute')).json.status).toBe('applied');
    expect(writes()).toEqual(sent);
    expect((await step(id, 'rollback')).json.status).toBe('rolled_back');
    expect(graph.assistants[0]).toMatchObject({ config: { configurable: { model: 'small' } }, context });
  });

  it('is changed in its context as well', async () => {
    graph.assistants = [assistant('team-1', {}, { context: { tone: 'dry' } })];
    const target = { assistant_id: await register(), pointer: '/context' };
    const change = patchOf({ op: 'remove', path: '/tone' });
    const { operation_id: id } = (await plan(target, change)).json;
    await step(id, 'approve');
    expect((await step(id, 'execute')).json.status).toBe('applied');
    expect(graph.assistants[0]!.context).toEqual({});
    expect((await step(id, 'rollback')).json.status).toBe('rolled_back');
    expect([graph.assistants[0]!.context, writes()]).toEqual([
      { tone: 'dry' },
      [{ context: {} }, { context: { tone: 'dry' } }],
    ]);
  });

  it('that was changed since the plan is not written', async () => {
    const { operation_id: id } = (await plan({ assistant_id: await register() })).json;
    await step(id, 'approve');
    graph.assistants[0]!.config = { recursion_limit: 50 };
    const answer = await step(id, 'execute');
    expect([answer.status, answer.json.code, writes()]).toEqual([409, 'conflict', []]);
  });
});

describe('an assistant', () => {
  it('is named by its id if the graph has several', async () => {
    graph.assistants.push(assistant('team-2', { recursion_limit: 30 }, { metadata: {} }));
    const created = await plan({ assistant_id: await register({ external_id: 'team-2' }) });
    expect(JSON.parse(created.json.before)).toEqual({ config: { recursion_limit: 30 } });
  });

  it.each<[string, () => void, number, RegExp]>([
    ['that is not the only one', () => graph.assistants.push(assistant('team-2', {})), 409, /has 2 assistants/],
    ['of a missing graph', () => graph.assistants.splice(0), 409, /has 0 assistants/],
    ['behind another key', () => (graph.apiKey = 'another'), 502, /does not accept its credentials/],
    ['of a server that fails', () => graph.faults.push({ status: 500 }), 502, /answered 500/],
  ])('%s gets that error', async (_name, prepare, status, why) => {
    const id = await register();
    prepare();
    const answer = await plan({ assistant_id: id });
    expect([answer.status, answer.json.detail], answer.text).toEqual([status, expect.stringMatching(why)]);
    expect(answer.text).not.toContain(graph.url);
  });

  it('of another tenant, of a deployment or missing is refused', async () => {
    const otherDeployment = await register();
    const ownTenant = tenant;
    tenant = await http.newTenant('other');
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_one', { fixes: [LOWER] });
    for (const id of [otherDeployment, deploymentId, 'ast_none']) {
      const answer = await plan({ assistant_id: id });
      expect([answer.status, answer.json.errors?.[0]?.pointer], answer.text).toEqual([422, '/target/assistant_id']);
    }
    expect([ownTenant.tenantId === tenant.tenantId, graph.requests]).toEqual([false, []]);
  });

  it.each<[string, JsonObject, Json]>([
    ['a limit of nothing', {}, patchOf({ op: 'replace', path: '/recursion_limit', value: 0 })],
    ['a limit that is not a number', {}, patchOf({ op: 'replace', path: '/recursion_limit', value: 'six' })],
    ['another name', { pointer: '' }, patchOf({ op: 'add', path: '/name', value: 'x' })],
    ['an invalid config', { pointer: '' }, patchOf({ op: 'replace', path: '/config', value: [] })],
    ['no change', {}, patchOf({ op: 'replace', path: '/recursion_limit', value: 24 })],
    ['a missing member', {}, patchOf({ op: 'replace', path: '/configurable/model', value: 'x' })],
  ])('cannot be given %s', async (_name, more, change) => {
    const answer = await plan({ assistant_id: await register(), ...more }, change);
    expect([answer.status, writes()], answer.text).toEqual([422, []]);
  });
});
