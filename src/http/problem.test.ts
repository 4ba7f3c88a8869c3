import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, type Sent, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { ERROR_CODES } from '../core/app-error.ts';
import { ERROR_STATUS } from './error-status.ts';
import { toAppError } from './problem.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const API = '/api/v1';

describe('problems', () => {
  it.each<[string, Sent, number, string]>([
    [
      'malformed JSON',
      { path: `${API}/auth/token`, body: Buffer.from('{'), headers: { 'Content-Type': 'application/json' } },
      400,
      'malformed',
    ],
    ['a bad query', { path: `${API}/tenants?page=0` }, 401, 'unauthenticated'],
    ['no credential', { path: `${API}/tenants` }, 401, 'unauthenticated'],
    ['an unknown path', { path: `${API}/nothing` }, 404, 'route_not_found'],
    ['a path outside the API', { path: '/index.php' }, 404, 'route_not_found'],
    ['a path with `..`', { path: '/../../etc/passwd' }, 404, 'route_not_found'],
    ['a path with a broken escape', { path: `${API}/tenants/%zz` }, 401, 'unauthenticated'],
    ['an unknown method', { method: 'PATCH', path: `${API}/auth/token` }, 405, 'method_not_allowed'],
    [
      'another type',
      { path: `${API}/auth/token`, body: Buffer.from('a'), headers: { 'Content-Type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['a missing field', { path: `${API}/auth/token`, body: {} }, 422, 'invalid_body'],
  ])('report %s', async (_name, sent, status, code) => {
    const answer = await http.send(sent);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json).toEqual({
      type: `urn:misstep:problem:${code}`,
      title: expect.any(String),
      status,
      detail: expect.any(String),
      instance: sent.path.split('?')[0]?.replace('/../..', '/../..'),
      code,
      request_id: answer.headers['x-request-id'],
      errors: expect.any(Array),
    });
  });

  it('name the allowed methods', async () => {
    const refused = await http.send({ method: 'DELETE', path: `${API}/tenants/${tenant.tenantId}/api-keys` });
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET, POST, OPTIONS' } });
  });

  it('hide the message of an unexpected error', () => {
    const error = toAppError(new TypeError('secret detail'));
    expect(error).toMatchObject({ code: 'internal' });
    expect(error.message).not.toContain('secret');
  });

  it('hide a missing database and log it', async () => {
    const broken = await startHttpApp();
    const { tenantId, apiKey } = await broken.newTenant();
    await broken.send({ path: `${API}/tenants/${tenantId}`, credential: apiKey });
    await broken.app.store.close();
    const answer = await broken.send({ path: `${API}/tenants/${tenantId}`, credential: apiKey });
    expect(answer).toMatchObject({ status: 500, json: { code: 'internal' } });
    expect(answer.text).not.toMatch(/driver|sqlite|destroyed|\.ts/i);
    expect(broken.logLines).toContainEqual(
      expect.objectContaining({ msg: 'request failed', request_id: answer.json.request_id, err: expect.anything() }),
    );
    expect(await broken.send({ path: '/health' })).toMatchObject({ status: 503, json: { status: 'unhealthy' } });
    expect((await broken.send({ path: '/readyz' })).status).toBe(503);
    expect((await broken.send({ path: '/livez' })).status).toBe(200);
    await broken.close();
  });

  it('answer input that is not HTTP', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(http.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json/s);
  });

  it('have a status for each code', () => {
    expect(Object.keys(ERROR_STATUS).sort()).toEqual([...ERROR_CODES].sort());
    for (const [status] of Object.values(ERROR_STATUS)) expect(status).toBeGreaterThanOrEqual(400);
  });
});

describe('HEAD and OPTIONS', () => {
  it('HEAD is GET without its body', async () => {
    const [get, head] = [await http.send({ path: '/health' }), await http.send({ method: 'HEAD', path: '/health' })];
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(await http.send({ method: 'HEAD', path: '/nothing' })).toMatchObject({ status: 404, text: '' });
  });

  it.each([
    [`${API}/auth/token`, 'POST, OPTIONS'],
    [`${API}/tenants/x/api-keys`, 'HEAD, GET, POST, OPTIONS'],
    [`${API}/tenants/x/traces/ingest`, 'HEAD, POST, OPTIONS'],
    ['/v1/traces', 'HEAD, POST, OPTIONS'],
    ['/health', 'HEAD, GET, OPTIONS'],
  ])('OPTIONS %s allows %s', async (path, allow) => {
    const answer = await http.send({ method: 'OPTIONS', path });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(String(answer.headers.allow).split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  it('OPTIONS of an unknown path is 404', async () => {
    expect((await http.send({ method: 'OPTIONS', path: '/nothing' })).status).toBe(404);
  });
});

describe('every answer', () => {
  it.each(['/health', '/nothing', `${API}/tenants`])('to %s has restrictive browser headers', async (path) => {
    const { headers } = await http.send({ path });
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it.each([
    ['abc-123', true],
    ['a b', false],
    ['x'.repeat(129), false],
    ['<script>', false],
  ])('accepts the request id %j: %s', async (id, isTaken) => {
    const answer = await http.send({ path: '/health', headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id'] === id).toBe(isTaken);
    expect(answer.headers['x-request-id']).toMatch(/^[\w.:-]{1,128}$/);
  });
});

describe('the log', () => {
  it('contains path and tenant and no secret', async () => {
    http.logLines.length = 0;
    const path = `${API}/tenants/${tenant.tenantId}`;
    await http.send({ path: `${path}?api_key=${tenant.apiKey}`, credential: tenant.apiKey });
    await http.send({ path: `${API}/flowplatform/webhook/whk_secret`, body: {} });
    expect(http.logLines[0]).toMatchObject({ method: 'GET', path, status: 400, tenant_id: tenant.tenantId });
    expect(http.logLines[1]).toMatchObject({ path: `${API}/flowplatform/webhook/***`, status: 404 });
    expect(JSON.stringify(http.logLines)).not.toMatch(/mst_|whk_secret/);
  });
});
