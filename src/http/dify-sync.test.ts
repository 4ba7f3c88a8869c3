import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DIFY_KEY, type DifyServer, difyLog, startDifyServer } from '../../test/support/dify-server.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { sendJson } from '../../test/support/send-json.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { DIFY } from '../features/dify/dify.services.ts';
import { difyTraceId } from '../formats/dify/run-span.ts';

const EVENTS: JsonObject[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../test/fixtures/dify/failing-iteration.json'), 'utf8'),
);

let http: HttpFixture;
let tenant: Tenant;
let dify: DifyServer;
beforeAll(async () => {
  http = await startHttpApp();
});
beforeEach(async () => {
  tenant = await http.newTenant('desk');
  dify = await startDifyServer();
});
afterEach(() => dify.close());
afterAll(() => http.close());

const send = (method: string, path: string, body?: Json) =>
  http.send({ method, path: `/api/v1${path}`, credential: tenant.apiKey, ...(body === undefined ? {} : { body }) });
const nowSeconds = () => Math.floor(http.clock.now() / 1000);

async function register(app: JsonObject = {}, instance: JsonObject = {}): Promise<string> {
  const { json: home } = await send('POST', '/llmapps/instances', { name: 'home', url: `${dify.url}/v1`, ...instance });
  const created = await send('POST', '/llmapps/apps', {
    name: 'Recipes',
    instance_id: home.instance_id,
    api_key: DIFY_KEY,
    ...app,
  });
  expect(created.status, created.text).toBe(201);
  return created.json.app_id;
}

async function sync(body: JsonObject = {}) {
  const started = await send('POST', '/llmapps/sync', body);
  expect(started.status, started.text).toBe(202);
  await http.services.platforms.of(DIFY).sync.runDue(20);
  return state();
}
const state = async () => (await send('GET', '/llmapps/sync/status')).json.items[0];
const traceIds = async () => {
  const { items } = (await send('GET', `/tenants/${tenant.tenantId}/traces?page_size=200`)).json;
  return items.map(({ trace_id }: { trace_id: string }) => trace_id);
};
const logsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => difyLog(`r${at}`, nowSeconds() - 1_000 + at));

describe('summaries of runs', () => {
  it('are fetched in pages, each run once', async () => {
    await register();
    dify.logs = logsOf(230);
    expect(await sync()).toMatchObject({
      status: 'idle',
      runs_read: 230,
      runs_taken: 230,
      runs_refused: 0,
      failure: null,
    });
    expect(dify.requests.map((line) => new URL(line.slice(4), dify.url).search)).toEqual([
      '?page=1&limit=100',
      '?page=2&limit=100',
      '?page=3&limit=100',
    ]);
    expect(new Set(await traceIds()).size).toBe(200);
  });

  it('are fetched newest first, including runs that had not ended', async () => {
    await register();
    const at = nowSeconds();
    dify.logs = [difyLog('old', at - 500, { status: 'running', finished_at: null }), difyLog('new', at - 100)];
    await sync();
    dify.requests.length = 0;
    dify.logs = [
      difyLog('old', at - 500),
      difyLog('same', at - 100),
      difyLog('new', at - 100),
      difyLog('next', at - 50),
    ];
    expect(await sync()).toMatchObject({ runs_taken: 3, newest_run_at: new Date((at - 50) * 1000).toISOString() });
    expect(dify.requests[0]).toContain(
      `created_at__after=${encodeURIComponent(new Date((at - 500) * 1000).toISOString())}`,
    );
    expect(await sync()).toMatchObject({ runs_taken: 0 });
    expect((await traceIds()).length).toBe(4);
  });

  it('are marked as summaries and cause no alert', async () => {
    await register();
    dify.logs = [difyLog('r', nowSeconds() - 60, { status: 'failed', error: 'model overloaded, 429' })];
    await sync();
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const { json: trace } = await send('GET', `/tenants/${tenant.tenantId}/traces/${difyTraceId('r')}`);
    expect(trace).toMatchObject({ framework: 'dify', status: 'error', session_id: 'guest' });
    expect(trace.spans[0].attributes).toMatchObject({ 'dify.detail': 'summary', 'dify.status': 'failed' });
    const { items } = (await send('GET', `/tenants/${tenant.tenantId}/detections`)).json;
    expect(items.map((found: JsonObject) => found.detection_type)).toEqual(['tool_failure']);
    const notes = await http.app.store.db.selectFrom('outbox').selectAll().execute();
    expect(notes.filter(({ payload }) => !payload.includes('"alert":false'))).toEqual([]);
  });

  it('do not replace a run that is stored with its nodes', async () => {
    await register();
    const run = String(EVENTS.find(({ event }) => event === 'workflow_finished')!.workflow_run_id);
    await send('POST', '/llmapps/webhook', EVENTS);
    const before = (await send('GET', `/tenants/${tenant.tenantId}/traces/${difyTraceId(run)}`)).text;
    dify.logs = [difyLog(run, nowSeconds() - 60)];
    await sync();
    expect((await send('GET', `/tenants/${tenant.tenantId}/traces/${difyTraceId(run)}`)).text).toBe(before);
  });

  it('that cannot be read are rejected alone', async () => {
    await register();
    dify.logs = [
      difyLog('good', nowSeconds() - 60),
      { id: 'log-bad', workflow_run: { id: 7 }, created_at: nowSeconds() },
    ];
    expect(await sync()).toMatchObject({ status: 'idle', runs_taken: 1, runs_refused: 1 });
  });

  it.each<[string, JsonObject, string[]]>([
    ['all runs again', { full: true }, ['created_at__after']],
    ['since a time', { since: '2026-01-01T00:00:00Z' }, []],
  ])('are fetched %s', async (_name, body, absent) => {
    await register();
    dify.logs = logsOf(3);
    await sync();
    dify.requests.length = 0;
    expect(await sync(body)).toMatchObject({ runs_taken: 3 });
    for (const text of absent) expect(dify.requests[0]).not.toContain(text);
    if (body.since) expect(dify.requests[0]).toContain('created_at__after=2026-01-01T00%3A00%3A00.000Z');
  });

  it('are fetched by the schedule of the instance', async () => {
    await register({}, { sync_every_minutes: 30 });
    dify.logs = logsOf(1);
    await http.services.platforms.of(DIFY).sync.scheduleDue();
    await http.services.platforms.of(DIFY).sync.runDue(20);
    const first = await state();
    expect(first).toMatchObject({ status: 'idle', runs_taken: 1 });
    expect(Date.parse(first.next_run_at) - http.clock.now()).toBe(1_800_000);
    dify.logs = [...dify.logs, difyLog('later', nowSeconds())];
    http.clock.advance(1_800_000);
    await http.services.platforms.of(DIFY).sync.runDue(20);
    expect((await traceIds()).length).toBe(2);
  });
});

describe('the status', () => {
  it('names the app, and the schedule only if the app can be fetched', async () => {
    const app = await register({}, { sync_every_minutes: 30 });
    const { instance_id: home } = await state();
    await send('POST', '/llmapps/apps', { name: 'keyless', instance_id: home });
    await send('POST', '/llmapps/apps', { name: 'homeless', api_key: DIFY_KEY });
    const { items, total } = (await send('GET', '/llmapps/sync/status')).json;
    const rows = items.map((item: JsonObject) => [
      item.app_name,
      item.instance_id,
      item.instance_name,
      item.every_minutes,
    ]);
    expect(total).toBe(3);
    expect(rows.sort()).toEqual([
      ['Recipes', home, 'home', 30],
      ['homeless', null, null, null],
      ['keyless', home, 'home', null],
    ]);
    expect(items.map((item: JsonObject) => item.app_id)).toContain(app);
  });
});

describe('an error of Dify', () => {
  it('about the key is reported and not retried', async () => {
    await register({ api_key: 'app-wrong' });
    expect(await sync()).toMatchObject({
      status: 'failed',
      failure: 'Dify refuses the key of the app (401: Access token is invalid); store a valid one.',
      next_run_at: null,
    });
    expect(JSON.stringify(await state())).not.toContain('app-wrong');
  });

  it.each<[string, (response: Parameters<typeof sendJson>[0]) => void, number]>([
    ['asks for a pause', (response) => sendJson(response, 429, {}, { 'Retry-After': '120' }), 120_000],
    ['fails', (response) => sendJson(response, 502, {}), 15_000],
    ['hangs up', (response) => response.destroy(), 15_000],
  ])('that %s is retried on the same page', async (_name, fault, pauseMs) => {
    await register();
    dify.logs = logsOf(150);
    dify.script = [null, fault];
    const failed = await sync();
    expect(failed).toMatchObject({ status: 'waiting', runs_taken: 100 });
    expect(Date.parse(failed.next_run_at) - http.clock.now()).toBe(pauseMs);
    dify.requests.length = 0;
    http.clock.advance(pauseMs);
    await http.services.platforms.of(DIFY).sync.runDue(20);
    expect(dify.requests).toHaveLength(1);
    expect(dify.requests[0]).toContain('page=2');
    expect(await state()).toMatchObject({ status: 'idle', runs_taken: 150 });
  });

  it.each<[string, (response: Parameters<typeof sendJson>[0]) => void, RegExp]>([
    [
      'is something else',
      (response) => sendJson(response, 200, { hello: 'world' }),
      /The URL is not the service API of Dify/,
    ],
    ['is a page of HTML', (response) => response.end('<html>'), /The URL is not the service API of Dify/],
    [
      'sends more than a page',
      (response) => sendJson(response, 200, { data: logsOf(101), has_more: false }),
      /more than 100/,
    ],
    ['says no', (response) => sendJson(response, 400, { message: 'not_workflow_app' }), /400: not_workflow_app/],
  ])('that %s is reported', async (_name, fault, failure) => {
    await register();
    dify.script = [fault];
    expect(await sync()).toMatchObject({ status: 'failed', failure: expect.stringMatching(failure) });
  });
});

describe('a sync', () => {
  it.each<[string, () => Promise<JsonObject>, number]>([
    ['of nothing', async () => ({}), 409],
    ['of an unknown app', async () => ({ app_id: 'app_none' }), 404],
    ['of an app without a key', async () => ({ app_id: await register({ api_key: undefined as never }) }), 409],
    ['of an app without an instance', async () => ({ app_id: await register({ instance_id: null }) }), 409],
  ])('%s is refused', async (_name, body, status) => {
    expect((await send('POST', '/llmapps/sync', await body())).status).toBe(status);
  });

  it('of another tenant is 404', async () => {
    const app_id = await register();
    const other = await http.newTenant('other');
    const started = await http.send({
      method: 'POST',
      path: '/api/v1/llmapps/sync',
      credential: other.apiKey,
      body: { app_id },
    });
    expect(started.status).toBe(404);
  });
});
