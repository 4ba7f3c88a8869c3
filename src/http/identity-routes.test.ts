import { afterEach, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp } from '../../test/support/http-app.ts';
import { DEFAULT_CONFIG } from '../app/config.ts';
import { openApp } from '../app/open-app.ts';
import type { HttpConfig } from './http-config.ts';

let http: HttpFixture;
const start = async (config: Partial<HttpConfig> = {}) => {
  http = await startHttpApp(config);
  return http;
};
afterEach(() => http.close());

const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });
const REGISTER = { path: '/api/v1/auth/tenants', body: { name: 'acme' } };

describe('registration', () => {
  it('returns a tenant id and a valid key', async () => {
    await start();
    const { status, json } = await http.send(REGISTER);
    expect(status).toBe(201);
    expect(json).toEqual({
      tenant_id: expect.stringMatching(/^ten_[0-9a-z]{26}$/),
      name: 'acme',
      api_key: expect.stringMatching(/^mst_/),
      created_at: '2026-01-15T12:00:00.000Z',
    });
    const path = `/api/v1/tenants/${json.tenant_id}`;
    expect(await http.send({ path, credential: json.api_key })).toMatchObject({ status: 200, json: { name: 'acme' } });
  });

  it.each<[string, Partial<HttpConfig>, Record<string, string>, number]>([
    ['loopback', {}, {}, 201],
    ['loopback from another site', {}, { Origin: 'https://evil.example' }, 403],
    ['every address', { host: '0.0.0.0' }, {}, 401],
    ['every address, opened', { host: '0.0.0.0', isRegistrationOpen: true }, {}, 201],
    ['every address, by the operator', { host: '0.0.0.0' }, bearer(OPERATOR_TOKEN), 201],
    ['every address, by a forged operator', { host: '0.0.0.0' }, bearer(`${OPERATOR_TOKEN}x`), 401],
    ['every address, without an operator', { host: '0.0.0.0', operatorToken: null }, bearer(''), 401],
  ])('on %s', async (_name, config, headers, status) => {
    await start(config);
    expect((await http.send({ ...REGISTER, headers })).status).toBe(status);
  });

  it.each<[string, Partial<HttpConfig>, Record<string, string>, number]>([
    ['loopback', {}, {}, 401],
    ['loopback, by the operator', {}, bearer(OPERATOR_TOKEN), 201],
    ['loopback, opened', { isRegistrationOpen: true }, {}, 201],
    ['every address, by the operator', { host: '0.0.0.0' }, bearer(OPERATOR_TOKEN), 201],
  ])('after the first tenant, on %s', async (_name, config, headers, status) => {
    await start(config);
    await http.newTenant();
    const answer = await http.send({ ...REGISTER, headers });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.json.detail).toMatch(/operator credential/);
  });

  it('refuses the key of a tenant', async () => {
    await start();
    const { apiKey } = await http.newTenant();
    expect(await http.send({ ...REGISTER, credential: apiKey })).toMatchObject({ status: 403 });
  });

  it('stays closed when the first tenant has been deleted', async () => {
    await start();
    await http.services.tenants.delete((await http.newTenant()).tenantId);
    expect((await http.send(REGISTER)).status).toBe(401);
  });

  it('accepts one of several concurrent first registrations', async () => {
    await start();
    const second = await openApp({ ...DEFAULT_CONFIG, dataFolder: http.dataFolder });
    try {
      const atOnce = Array.from({ length: 8 }, () => http.send(REGISTER).then(({ status }) => status));
      const elsewhere = second.services.tenants.create({ name: 'other', isFirstRun: true }).then(
        () => 201,
        () => 401,
      );
      const statuses = await Promise.all([...atOnce, elsewhere]);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 401)).toHaveLength(8);
    } finally {
      await second.close();
    }
  });

  it.each([
    ['no name', {}, '/name'],
    ['an empty name', { name: ' ' }, '/name'],
    ['a number', { name: 5 }, '/name'],
    ['control characters', { name: 'a\u001b[2Jb' }, '/name'],
    ['half of a surrogate pair', { name: 'a\ud800' }, '/name'],
    ['a very long name', { name: 'x'.repeat(201) }, '/name'],
  ])('refuses %s', async (_name, body, pointer) => {
    await start();
    const answer = await http.send({ ...REGISTER, body });
    expect(answer).toMatchObject({ status: 422, json: { code: 'invalid_body', errors: [{ pointer }] } });
  });

  it('rejects long bodies of guests', async () => {
    await start();
    expect((await http.send({ ...REGISTER, body: { name: 'x'.repeat(70_000) } })).status).toBe(413);
  });
});

describe('credentials', () => {
  it('are an API key in either header, or an access token', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const token = await http.send({ path: '/api/v1/auth/token', body: { api_key: apiKey } });
    expect(token).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 3600 } });
    const path = `/api/v1/tenants/${tenantId}`;
    const sent: Record<string, string>[] = [
      { 'X-SVC-API-Key': apiKey },
      bearer(apiKey),
      bearer(token.json.access_token),
      { Authorization: `bearer  ${apiKey}` },
    ];
    for (const headers of sent) expect((await http.send({ path, headers })).status).toBe(200);
    const wrong: Record<string, string>[] = [
      bearer('x'),
      { Authorization: apiKey },
      { Authorization: `Basic ${apiKey}` },
      { 'X-SVC-API-Key': '' },
      { 'X-SVC-API-Key': 'x', ...bearer(apiKey) },
    ];
    for (const headers of wrong) expect((await http.send({ path, headers })).status).toBe(401);
  });

  it('that are invalid give no access token', async () => {
    await start();
    const answer = await http.send({ path: '/api/v1/auth/token', body: { api_key: 'mst_x' } });
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  });
});

describe('API keys', () => {
  it('are created, listed, rotated and revoked by an admin', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const path = `/api/v1/tenants/${tenantId}/api-keys`;
    const body = { name: 'ci', scopes: ['read', 'ingest', 'read'], expires_at: '2026-02-01T00:00:00+01:00' };
    const createdKey = await http.send({ path, credential: apiKey, body });
    expect(createdKey).toMatchObject({
      status: 201,
      json: { name: 'ci', scopes: ['ingest', 'read'], expires_at: '2026-01-31T23:00:00.000Z', revoked_at: null },
    });
    const listed = await http.send({ path, credential: apiKey });
    expect(listed.json).toMatchObject({ total: 2, has_more: false });
    expect(listed.text).not.toContain('mst_');
    const keyPath = `${path}/${createdKey.json.key_id}`;
    const rotated = await http.send({ method: 'POST', path: `${keyPath}/rotate`, credential: apiKey });
    expect(rotated.status).toBe(201);
    expect(rotated.json.api_key).not.toBe(createdKey.json.api_key);
    const revoked = await http.send({ method: 'DELETE', path: keyPath, credential: apiKey });
    expect(revoked).toMatchObject({ status: 204, text: '' });
    const tenantPath = `/api/v1/tenants/${tenantId}`;
    expect((await http.send({ path: tenantPath, credential: rotated.json.api_key })).status).toBe(401);
  });
});

describe('tenants', () => {
  it('are listed and deleted by the operator', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant('acme');
    const listed = await http.send({ path: '/api/v1/tenants', headers: bearer(OPERATOR_TOKEN) });
    expect(listed.json).toMatchObject({ total: 1, items: [{ tenant_id: tenantId, name: 'acme' }] });
    const path = `/api/v1/tenants/${tenantId}`;
    expect((await http.send({ method: 'DELETE', path, headers: bearer(OPERATOR_TOKEN) })).status).toBe(204);
    expect((await http.send({ path, credential: apiKey })).status).toBe(401);
    expect((await http.send({ method: 'DELETE', path, headers: bearer(OPERATOR_TOKEN) })).status).toBe(404);
  });
});

describe('the signing key', () => {
  it('is rotated by the operator while tokens keep working', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const { json } = await http.send({ path: '/api/v1/auth/token', body: { api_key: apiKey } });
    const rotated = await http.send({
      method: 'POST',
      path: '/api/v1/auth/signing-keys/rotate',
      headers: bearer(OPERATOR_TOKEN),
    });
    expect(rotated).toMatchObject({ status: 201, json: { kid: expect.stringMatching(/^sig_/) } });
    const path = `/api/v1/tenants/${tenantId}`;
    expect((await http.send({ path, headers: bearer(json.access_token) })).status).toBe(200);
  });
});

describe('Idempotency-Key', () => {
  const keyed = (key: string, name = 'ci') => ({
    headers: { 'Idempotency-Key': key },
    body: { name, scopes: ['read'] },
  });

  it('repeats the first response with its secret, to the same credential only', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const path = `/api/v1/tenants/${tenantId}/api-keys`;
    const first = await http.send({ path, credential: apiKey, ...keyed('k1') });
    const again = await http.send({ path, credential: apiKey, ...keyed('k1') });
    expect(again).toMatchObject({ status: 201, text: first.text, headers: { 'idempotent-replayed': 'true' } });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const changed = await http.send({ path, credential: apiKey, ...keyed('k1', 'other') });
    expect(changed).toMatchObject({ status: 422, json: { code: 'idempotency_conflict' } });
    const admin = await http.newKey(tenantId, ['admin']);
    expect((await http.send({ path, credential: admin, ...keyed('k1') })).status).toBe(409);
    const otherTenant = await http.newTenant();
    const otherPath = `/api/v1/tenants/${otherTenant.tenantId}/api-keys`;
    expect((await http.send({ path: otherPath, credential: otherTenant.apiKey, ...keyed('k1') })).status).toBe(201);
  });

  it('that was used for one URL is refused for another with the same body', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const keys = `/api/v1/tenants/${tenantId}/api-keys`;
    const createdKeys = await Promise.all(
      ['k1', 'k2'].map((key) => http.send({ path: keys, credential: apiKey, ...keyed(key) })),
    );
    const rotate = (id: string) =>
      http.send({ path: `${keys}/${id}/rotate`, credential: apiKey, headers: { 'Idempotency-Key': 'k3' }, body: {} });
    const [one, other] = createdKeys.map(({ json }) => json.key_id as string);
    expect((await rotate(one!)).status).toBe(201);
    expect(await rotate(other!)).toMatchObject({ status: 422, json: { code: 'idempotency_conflict' } });
  });

  it('runs a rejected request again', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const path = `/api/v1/tenants/${tenantId}/api-keys`;
    const past = { ...keyed('k1'), body: { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' } };
    expect((await http.send({ path, credential: apiKey, ...past })).status).toBe(422);
    expect((await http.send({ path, credential: apiKey, ...keyed('k1') })).status).toBe(201);
  });

  it('must be a valid key', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const path = `/api/v1/tenants/${tenantId}/api-keys`;
    const answer = await http.send({ path, credential: apiKey, ...keyed('x'.repeat(256)) });
    expect(answer).toMatchObject({ status: 400, json: { code: 'malformed' } });
  });

  it('does not show a guest the key of another guest', async () => {
    await start({ isRegistrationOpen: true });
    const sent = { ...REGISTER, headers: { 'Idempotency-Key': 'k1' } };
    const [one, other] = [await http.send(sent), await http.send(sent)];
    expect(other.status).toBe(201);
    expect(other.json.api_key).not.toBe(one.json.api_key);
  });
});
