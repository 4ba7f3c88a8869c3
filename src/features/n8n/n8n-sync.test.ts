import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { N8N_KEY, type N8nServer, n8nExecution, startN8nServer } from '../../../test/support/n8n-server.ts';
import { sendJson } from '../../../test/support/send-json.ts';
import { openStoreApp, type StoreApp } from '../../../test/support/store-app.ts';
import type { JsonObject } from '../../core/json.ts';
import { executionTraceId } from '../../formats/n8n/execution-span.ts';
import { N8N } from './n8n.services.ts';
import type { SyncRequest } from './n8n-sync.service.ts';

let app: StoreApp;
let n8n: N8nServer;
let tenantId: string;
let instanceId: string;
beforeEach(async () => {
  [app, n8n] = [await openStoreApp(), await startN8nServer()];
  tenantId = await app.newTenant();
  instanceId = await registerInstance();
});
afterEach(async () => {
  await app.close();
  await n8n.close();
});

async function registerInstance(details: JsonObject = {}, apiKey: string | null = N8N_KEY): Promise<string> {
  const of = { integration: 'flowplatform', name: 'instance' } as const;
  const input = { name: 'home', url: n8n.url, details, credentials: apiKey === null ? {} : { api_key: apiKey } };
  return (await app.services.registrations.create(tenantId, of, input)).row.registration_id;
}

const sync = () => app.services.platforms.of(N8N).sync;
const ASKED: SyncRequest = { instanceId: null, sinceMs: null, isAlerting: false, isFull: false };
const request = (more: Partial<SyncRequest> = {}) => sync().request(tenantId, { ...ASKED, ...more });
const status = async () => (await sync().status(tenantId)).find((one) => one.instance_id === instanceId)!;
const many = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => n8nExecution(from + at));
const runIds = async () => {
  const rows = await app.db.selectFrom('traces').select(['trace_id', 'is_history']).execute();
  const idOf = new Map(
    Array.from({ length: 200 }, (_, id) => [executionTraceId({ workflowId: 'wfPots', executionId: String(id) }), id]),
  );
  return rows.map(({ trace_id }) => idOf.get(trace_id) ?? trace_id).sort((one, other) => Number(one) - Number(other));
};

const RUN = { startTime: Date.UTC(2026, 0, 10), executionTime: 5, executionStatus: 'success' };

describe('a sync', () => {
  it('fetches every page of what there is, once, as history', async () => {
    n8n.executions = many(1, 60);
    expect(await request()).toMatchObject([{ status: 'queued', instance_id: instanceId }]);
    expect(await sync().runDue(10)).toBe(1);
    expect(await status()).toMatchObject({
      status: 'idle',
      executions_read: 60,
      executions_taken: 60,
      newest_execution_id: '60',
      failure: null,
      next_run_at: null,
    });
    expect(await runIds()).toEqual(many(1, 60).map(({ id }) => Number(id)));
    const pages = n8n.requests.filter((line) => line.startsWith('GET /api/v1/executions?'));
    expect(pages).toHaveLength(3);
    const rows = await app.db.selectFrom('traces').select('is_history').execute();
    expect(rows.filter(({ is_history }) => is_history === 0)).toEqual([]);
  });

  it('afterwards fetches what is new alone', async () => {
    n8n.executions = many(1, 30);
    await request();
    await sync().runDue(10);
    n8n.executions.push(...many(31, 33));
    n8n.requests.length = 0;
    await request();
    await sync().runDue(10);
    expect(await status()).toMatchObject({ executions_read: 3, executions_taken: 3, newest_execution_id: '33' });
    expect(n8n.requests).toHaveLength(1);
    expect(await runIds()).toHaveLength(33);
  });

  it('leaves out the executions of error workflows, and counts what cannot be read', async () => {
    n8n.executions = [
      n8nExecution(1),
      n8nExecution(2, { mode: 'error' }),
      n8nExecution(3, { workflowId: '', workflowData: null }),
    ];
    await request();
    await sync().runDue(10);
    expect(await runIds()).toEqual([1]);
    expect(await status()).toMatchObject({ executions_read: 3, executions_taken: 1, executions_refused: 1 });
  });

  it.each([3_000, 20_000, 100_000])('a record nested %s deep does not affect other records', async (depth) => {
    const deep = n8nExecution(2, { data: { resultData: { runData: { Clock: [{ ...RUN, data: 'DEEP' }] } } } });
    const data = [n8nExecution(3), deep, 7, n8nExecution(1)];
    const text = JSON.stringify({ data, nextCursor: null }).replace(
      '"DEEP"',
      `{"main":[[{"json":{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}]]}`,
    );
    n8n.script.push((response) => void response.end(text));
    await request();
    await sync().runDue(10);
    expect(await status()).toMatchObject({ status: 'idle', executions_read: 3, newest_execution_id: '3' });
    expect(await runIds()).toEqual(expect.arrayContaining([1, 3]));
    expect(app.problems).toEqual([]);
  });

  it('fetches again what had not ended', async () => {
    n8n.executions = [n8nExecution(1, { status: 'waiting', stoppedAt: null, finished: false }), n8nExecution(2)];
    await request();
    await sync().runDue(10);
    const traceId = executionTraceId({ workflowId: 'wfPots', executionId: '1' });
    const ended = async () => {
      const { root_ended } = await app.db
        .selectFrom('traces')
        .select('root_ended')
        .where('trace_id', '=', traceId)
        .executeTakeFirstOrThrow();
      return root_ended;
    };
    expect(await ended()).toBe(0);
    n8n.executions[0] = n8nExecution(1);
    await request();
    await sync().runDue(10);
    expect(await ended()).toBe(1);
    n8n.requests.length = 0;
    await request();
    await sync().runDue(10);
    expect(n8n.requests).toHaveLength(1);
  });

  it('with a beginning leaves what began before', async () => {
    n8n.executions = many(1, 40);
    await request({ sinceMs: Date.parse(String(n8n.executions[34]!.startedAt)) });
    await sync().runDue(10);
    expect(await runIds()).toEqual([35, 36, 37, 38, 39, 40]);
  });

  it('with full fetches all again without duplicates', async () => {
    n8n.executions = many(1, 30);
    await request();
    await sync().runDue(10);
    await request({ isFull: true });
    await sync().runDue(10);
    expect(await status()).toMatchObject({ executions_read: 30, newest_execution_id: '30' });
    expect(await runIds()).toHaveLength(30);
  });

  it('sends alerts only on request', async () => {
    n8n.executions = many(1, 1);
    await request({ isAlerting: true });
    await sync().runDue(10);
    expect(await app.db.selectFrom('traces').select('is_history').execute()).toEqual([{ is_history: 0 }]);
  });

  it('fetches large executions in small pages, and one that is too large without its data', async () => {
    const huge = 'x'.repeat(4_000_000);
    n8n.executions = many(1, 7).map((one) => ({ ...one, customData: huge }));
    n8n.executions[3] = { ...n8n.executions[3]!, customData: 'y'.repeat(70_000_000) };
    await request();
    await sync().runDue(10);
    expect(await status()).toMatchObject({ status: 'idle', failure: null });
    expect(await runIds()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  }, 60_000);
});

describe('failures', () => {
  it.each<[string, N8nServer['script'][number], string, RegExp]>([
    [
      'a key that is refused',
      (response) => sendJson(response, 401, { message: 'unauthorized' }),
      'failed',
      /refuses the API key \(401: unauthorized\)/,
    ],
    [
      'a key without the scope',
      (response) => sendJson(response, 403, { message: 'Forbidden' }),
      'failed',
      /refuses the API key \(403/,
    ],
    ['no API', (response) => sendJson(response, 404, { message: 'Not Found' }), 'failed', /no public API/],
    [
      'a page that is longer than n8n makes them',
      (response) => sendJson(response, 200, { data: many(1, 251), nextCursor: null }),
      'failed',
      /more than 250/,
    ],
    ['another service', (response) => void response.end('<html>'), 'failed', /not the public API/],
    [
      'a redirect',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'failed',
      /answered 302/,
    ],
    ['a broken line', (response) => void response.destroy(), 'waiting', /cannot be reached/],
    [
      'a line that breaks in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"data":[', () => response.destroy());
      },
      'waiting',
      /broke before the response/,
    ],
    ['a fault of n8n', (response) => sendJson(response, 500, {}), 'waiting', /answered 500/],
  ])('%s is reported', async (_name, script, expected, failure) => {
    n8n.executions = many(1, 3);
    n8n.script.push(script);
    await request();
    await sync().runDue(10);
    const { status: is, failure: why, next_run_at: next } = await status();
    expect([is, why]).toEqual([expected, expect.stringMatching(failure)]);
    expect(next === null).toBe(expected === 'failed');
    expect(why).not.toContain(N8N_KEY);
    app.clock.advance(3_600_000);
    await sync().runDue(10);
    expect((await runIds()).length).toBe(expected === 'failed' ? 0 : 3);
  });

  it('continues at the last page when n8n allows it', async () => {
    n8n.executions = many(1, 60);
    n8n.script.push(null, (response) => sendJson(response, 429, {}, { 'retry-after': '120' }));
    await request();
    await sync().runDue(10);
    expect(await status()).toMatchObject({ status: 'waiting', executions_read: 25 });
    expect(await runIds()).toHaveLength(25);
    app.clock.advance(119_000);
    expect(await sync().runDue(10)).toBe(0);
    app.clock.advance(1_000);
    n8n.requests.length = 0;
    n8n.executions.push(...many(61, 62));
    await sync().runDue(10);
    expect(n8n.requests).toHaveLength(2);
    expect(await status()).toMatchObject({ status: 'idle', executions_read: 60, newest_execution_id: '60' });
    await request();
    await sync().runDue(10);
    expect(await runIds()).toHaveLength(62);
  });

  it('fails after the maximum number of attempts', async () => {
    await n8n.close();
    await request();
    for (let tries = 0; tries < 10; tries += 1) {
      await sync().runDue(10);
      app.clock.advance(3_600_000);
    }
    expect(await status()).toMatchObject({ status: 'failed', next_run_at: null });
    n8n = await startN8nServer();
  });

  it('the sync of a dead process is continued by the next one', async () => {
    n8n.executions = many(1, 60);
    await request();
    const second = await app.openSecond();
    n8n.script.push(null, () => sync().close());
    // The second page never comes: the process goes away while it waits.
    const dying = sync().runDue(10);
    await untilReceived(2);
    app.clock.advance(200_000);
    await second.services.platforms.of(N8N).sync.runDue(10);
    const [row] = await second.services.platforms.of(N8N).sync.status(tenantId);
    expect(row).toMatchObject({ status: 'idle', executions_read: 60, newest_execution_id: '60' });
    expect(await runIds()).toHaveLength(60);
    await second.close();
    await n8n.close();
    await dying;
    n8n = await startN8nServer();
  });

  it('a closing process stops its sync, and the next continues at once', async () => {
    n8n.executions = many(1, 60);
    n8n.script.push(null, () => {});
    await request();
    const closing = sync().runDue(10);
    await untilReceived(2);
    sync().close();
    await closing;
    expect(await status()).toMatchObject({ status: 'queued', executions_read: 25, failure: null });
    const second = await app.openSecond();
    expect(await second.services.platforms.of(N8N).sync.runDue(10)).toBe(1);
    expect(await status()).toMatchObject({ status: 'idle', executions_read: 60 });
    await second.close();
  });

  async function untilReceived(count: number): Promise<void> {
    while (n8n.requests.length < count) await new Promise((next) => setImmediate(next));
  }

  it('deleting a registration ends its sync', async () => {
    n8n.executions = many(1, 60);
    n8n.script.push(null, (response) => {
      void app.services.registrations
        .remove(tenantId, instanceId)
        .then(() => sendJson(response, 200, { data: many(1, 5), nextCursor: null }));
    });
    await request();
    expect(await sync().runDue(10)).toBe(1);
    expect(await runIds()).toHaveLength(25);
    expect(await sync().status(tenantId)).toEqual([]);
    expect(app.problems).toEqual([]);
  });

  it.each([
    ['that is none', () => 'ins_none', 'not_found'],
    ['without key', () => registerInstance({}, null), 'conflict'],
  ])('is not asked of an instance %s', async (_name, idOf, code) => {
    const id = await idOf();
    await expect(request({ instanceId: id })).rejects.toMatchObject({ code });
  });

  it('is an error without a registered instance', async () => {
    const other = await app.newTenant('other');
    await expect(sync().request(other, ASKED)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a schedule', () => {
  it('fetches when its time has come', async () => {
    n8n.executions = many(1, 2);
    const id = await registerInstance({ sync_every_minutes: 10 });
    const passes = () => n8n.requests.length;
    await sync().scheduleDue();
    await sync().runDue(10);
    expect(passes()).toBe(1);
    app.clock.advance(9 * 60_000);
    await sync().scheduleDue();
    await sync().runDue(10);
    expect(passes()).toBe(1);
    app.clock.advance(60_000);
    await sync().scheduleDue();
    await sync().runDue(10);
    expect(passes()).toBe(2);
    await app.services.registrations.change(tenantId, id, { details: { sync_every_minutes: null } });
    app.clock.advance(600_000);
    await sync().scheduleDue();
    await sync().runDue(10);
    app.clock.advance(600_000);
    await sync().scheduleDue();
    expect(await sync().runDue(10)).toBe(0);
  });

  it('alerts about new runs if the request says so, and never about earlier runs', async () => {
    n8n.executions = many(1, 2);
    await registerInstance({ sync_every_minutes: 10, sync_alerts: true });
    for (const more of [[], [n8nExecution(3)]]) {
      n8n.executions.push(...more);
      await sync().scheduleDue();
      await sync().runDue(10);
      app.clock.advance(600_000);
    }
    const rows = await app.db.selectFrom('traces').select(['trace_id', 'is_history']).execute();
    const live = rows.filter(({ is_history }) => is_history === 0).map(({ trace_id }) => trace_id);
    expect(live).toEqual([executionTraceId({ workflowId: 'wfPots', executionId: '3' })]);
  });
});

describe('workflows', () => {
  const node = (name: string, type = 'n8n-nodes-base.set') => ({ name, type, parameters: {}, position: [0, 0] });
  const to = (...names: string[]) => ({ main: [names.map((name) => ({ node: name, type: 'main', index: 0 }))] });
  const workflow = (id: string, more: JsonObject = {}): JsonObject => ({
    id,
    name: `flow ${id}`,
    active: true,
    nodes: [node('Hook', 'n8n-nodes-base.webhook'), node('Set')],
    connections: { Hook: to('Set') },
    settings: {},
    ...more,
  });

  it('are listed with what is wrong with their drawing, before they ran', async () => {
    const lost = [node('Hook', 'n8n-nodes-base.webhook'), node('Set'), node('Mail', 'n8n-nodes-base.gmail')];
    const round = { Hook: to('A'), A: to('B'), B: to('A') };
    n8n.workflows = [
      workflow('sound'),
      workflow('lost', { nodes: lost }),
      workflow('round', { nodes: [node('Hook', 'n8n-nodes-base.webhook'), node('A'), node('B')], connections: round }),
      workflow('old', { isArchived: true }),
    ];
    const { row } = await app.services.registrations.create(
      tenantId,
      { integration: 'flowplatform', name: 'workflow' },
      { name: 'flow sound', details: { external_id: 'sound' } },
    );
    const { items, isCut } = await app.services.platforms.of(N8N).discovery.discover(tenantId, instanceId);
    expect(items.map(({ external_id, findings }) => [external_id, findings.map(({ subtype }) => subtype)])).toEqual([
      ['sound', []],
      ['lost', ['no_error_handling', 'unreachable_node']],
      ['round', ['cycle_without_exit']],
    ]);
    expect(items[0]).toMatchObject({ registration_id: row.registration_id, node_count: 2, active: true });
    expect(items[1]).toMatchObject({
      registration_id: null,
      findings: ['no error workflow', 'no declared path leads'].map((value) => ({
        explanation: expect.stringMatching(new RegExp(`${value}.*\`Mail\`|\`Mail\`.*${value}`)),
      })),
    });
    expect(isCut).toBe(false);
    expect(await app.db.selectFrom('traces').selectAll().execute()).toEqual([]);
  });

  it('are read page by page', async () => {
    n8n.workflows = Array.from({ length: 250 }, (_, at) => workflow(`w${at}`));
    expect((await app.services.platforms.of(N8N).discovery.discover(tenantId, null)).items).toHaveLength(250);
    expect(n8n.requests).toHaveLength(3);
  });

  it('that are large are read in smaller pages', async () => {
    const code = 'x'.repeat(50_000);
    n8n.workflows = Array.from({ length: 60 }, (_, at) => workflow(`w${at}`, { settings: { code } }));
    expect((await app.services.platforms.of(N8N).discovery.discover(tenantId, null)).items).toHaveLength(60);
    const limits = n8n.requests.map((line) => new URL(line.slice(4), n8n.url).searchParams.get('limit'));
    expect(limits.slice(0, 2)).toEqual(['100', '20']);
  });

  it('of which one is too large are not read, and the reason is stored', async () => {
    n8n.workflows = [workflow('huge', { settings: { code: 'x'.repeat(2_100_000) } })];
    const { items, problems } = await app.services.platforms.of(N8N).discovery.discover(tenantId, null);
    expect([items, problems]).toEqual([
      [],
      [{ instance_id: instanceId, message: expect.stringContaining('A single workflow is larger than') }],
    ]);
  });

  it('are rejected with the reason', async () => {
    n8n.script.push((response) => sendJson(response, 401, { message: 'unauthorized' }));
    const { items, problems } = await app.services.platforms.of(N8N).discovery.discover(tenantId, null);
    expect([items, problems]).toEqual([
      [],
      [{ instance_id: instanceId, message: expect.stringContaining('n8n refuses the API key') }],
    ]);
  });
});

describe('a private address', () => {
  it('is not called on a server that is open to others', async () => {
    const open = await openStoreApp({
      config: { integrations: { readSecretKey: () => null, allowPrivate: [] } },
      dependencies: { resolveHost: async () => ['127.0.0.1'] },
    });
    try {
      const tenant = await open.newTenant();
      const of = { integration: 'flowplatform', name: 'instance' } as const;
      const create = (url: string) =>
        open.services.registrations.create(tenant, of, { name: 'x', url, credentials: { api_key: N8N_KEY } });
      await expect(create(n8n.url)).rejects.toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/url' }] });
      const { row } = await create(n8n.url.replace('127.0.0.1', 'n8n.example.com'));
      const { problems } = await open.services.platforms.of(N8N).discovery.discover(tenant, row.registration_id);
      expect(problems).toMatchObject([{ message: expect.stringContaining('not public') }]);
      expect(n8n.requests).toEqual([]);
    } finally {
      await open.close();
    }
  });
});

const CAPTURES = process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../../shared/clients/captures');
const recorded = join(CAPTURES, 'n8n');

describe.skipIf(!existsSync(recorded))('what a real n8n answered (recorded in captures/n8n)', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(recorded, name), 'utf8'));

  it('is fetched into traces, without the run of the error workflow', async () => {
    n8n.executions = read('api-executions-includeData.json').data.reverse();
    await request();
    await sync().runDue(10);
    expect(await status()).toMatchObject({
      status: 'idle',
      executions_read: 4,
      executions_taken: 3,
      newest_execution_id: '4',
    });
    await app.settle();
    const { items } = await app.services.traces.list(
      tenantId,
      { agentId: null, status: null, from: null, to: null } as never,
      { page: 1, pageSize: 10, cursor: null },
    );
    expect(items.map(({ name, status: is, framework }) => [name, is, framework]).sort()).toEqual([
      ['AI Agent flow', 'ok', 'n8n'],
      ['Failing flow', 'error', 'n8n'],
      ['Research flow', 'ok', 'n8n'],
    ]);
    expect(items.find(({ name }) => name === 'AI Agent flow')!.total_tokens).toBeGreaterThan(0);
  });

  it('lists workflows without detections', async () => {
    n8n.workflows = read('api-workflows.json').data;
    const { items } = await app.services.platforms.of(N8N).discovery.discover(tenantId, instanceId);
    expect(items.map(({ name, findings }) => [name, findings.length])).toEqual([
      ['AI Agent flow', 0],
      ['Error notifier', 0],
      ['Failing flow', 0],
      ['Research flow', 0],
    ]);
  });

  it('passes on the error message of the platform', async () => {
    n8n.script.push((response) => sendJson(response, 401, read('api-401.json')));
    await request();
    await sync().runDue(10);
    expect((await status()).failure).toContain("'X-N8N-API-KEY' header required");
    n8n.script.push((response) => sendJson(response, 400, read('api-executions-limit1000.json')));
    await request();
    await sync().runDue(10);
    expect((await status()).failure).toContain('limit must be <= 250');
  });
});
