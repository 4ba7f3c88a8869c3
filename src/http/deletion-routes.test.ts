import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { runSpans, toRequest, traceIdOf } from '../../test/support/store-app.ts';

let http: HttpFixture;
let mine: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  mine = await http.newTenant('mine');
});
afterAll(() => http.close());

const pathOf = (path: string, tenant = mine) => `/api/v1/tenants/${tenant.tenantId}${path}`;
const send = (method: string, path: string, body?: object) =>
  http.send({ method, path: pathOf(path), credential: mine.apiKey, ...(body ? { body: body as never } : {}) });
const store = (trace: number) => http.services.ingest.ingest(mine.tenantId, toRequest(runSpans(trace)));

describe('DELETE traces/{trace_id}', () => {
  it('is 204, then 404', async () => {
    await store(1);
    const path = `/traces/${traceIdOf(1)}`;
    expect(await send('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect(await send('GET', path)).toMatchObject({ status: 404 });
    expect(await send('DELETE', path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it('finds nothing of another tenant', async () => {
    await store(2);
    const other = await http.newTenant('other');
    const path = pathOf(`/traces/${traceIdOf(2)}`, other);
    expect(await http.send({ method: 'DELETE', path, credential: other.apiKey })).toMatchObject({ status: 404 });
    expect(await send('GET', `/traces/${traceIdOf(2)}`)).toMatchObject({ status: 200 });
  });
});

describe('DELETE traces', () => {
  it('creates a job that can be read and deleted', async () => {
    await store(3);
    const answer = await send('DELETE', '/traces?date_to=2100-01-01');
    expect(answer).toMatchObject({
      status: 202,
      json: { status: 'queued', filter: { date_to: '2100-01-01T00:00:00.000Z', status: null } },
    });
    await http.services.deletion.runDue(5);
    const path = `/jobs/${answer.json.job_id}`;
    expect((await send('GET', path)).json).toMatchObject({ status: 'completed', deleted: expect.any(Number) });
    expect((await send('GET', '/traces')).json.total).toBe(0);
    expect((await send('GET', '/jobs')).json.items).toHaveLength(1);
    expect(await send('DELETE', path)).toMatchObject({ status: 204 });
    expect(await send('GET', path)).toMatchObject({ status: 404 });
  });

  it.each([
    ['no condition', '/traces', '?date_to'],
    ['an unknown condition', '/traces?status=done', '?status'],
    ['an invalid date', '/traces?date_to=yesterday', '?date_to'],
  ])('is refused with %s', async (_name, path, pointer) => {
    expect(await send('DELETE', path)).toMatchObject({
      status: 400,
      json: { code: 'invalid_query', errors: [{ pointer }] },
    });
  });
});

describe('settings/retention', () => {
  it('is read and set', async () => {
    expect((await send('GET', '/settings/retention')).json).toEqual({
      retention_days: null,
      source: 'default',
      plan_days: null,
    });
    expect(await send('PUT', '/settings/retention', { retention_days: 30 })).toMatchObject({
      status: 200,
      json: { retention_days: 30, source: 'tenant' },
    });
    expect((await send('PUT', '/settings/retention', { retention_days: 'default' })).json.source).toBe('default');
  });

  it.each([0, -1, 1.5, 100_000, '30', {}])('refuses %j', async (days) => {
    expect(await send('PUT', '/settings/retention', { retention_days: days })).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/retention_days' }] },
    });
  });
});

describe('GET export', () => {
  const path = () => pathOf('/export');

  it('sends lines, compressed for clients that accept it', async () => {
    await store(5);
    const uncompressed = await http.send({ path: path(), credential: mine.apiKey });
    expect(uncompressed).toMatchObject({ status: 200 });
    expect(uncompressed.headers['content-type']).toBe('application/x-ndjson');
    expect(uncompressed.text).toContain(traceIdOf(5));
    const packed = await http.send({ path: path(), credential: mine.apiKey, headers: { 'Accept-Encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).toString()).toBe(uncompressed.text);
  });

  it('needs a credential of the tenant with the scope read', async () => {
    const other = await http.newTenant('reader');
    expect(await http.send({ path: path() })).toMatchObject({ status: 401 });
    expect(await http.send({ path: path(), credential: other.apiKey })).toMatchObject({ status: 403 });
    const key = await http.newKey(mine.tenantId, ['write']);
    expect(await http.send({ path: path(), credential: key })).toMatchObject({ status: 403 });
    expect(await http.send({ path: `${path()}?all=1`, credential: mine.apiKey })).toMatchObject({ status: 400 });
  });
});
