import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { DEFAULT_CONFIG } from '../app/config.ts';
import { type App, openApp } from '../app/open-app.ts';

/** The server, and another process on the same store such as the command line; the clock is fixed. */
let http: HttpFixture;
let other: App;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
  other = await openApp({ ...DEFAULT_CONFIG, dataFolder: http.dataFolder }, { clock: http.clock });
});
afterEach(async () => {
  await other.close();
  await http.close();
});

const statusWith = async (credential: string) =>
  (await http.send({ path: `/api/v1/tenants/${tenant.tenantId}`, credential })).status;
const newKey = () => http.services.apiKeys.create(tenant.tenantId, { name: 'k', scopes: ['read'], expiresAt: null });
const tokenFor = async (apiKey: string) =>
  (await http.send({ path: '/api/v1/auth/token', body: { api_key: apiKey } })).json.access_token as string;

describe('revocation by another process on the same store', () => {
  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['a revoked key', (keyId) => other.services.apiKeys.revoke(tenant.tenantId, keyId)],
    ['a rotated key', (keyId) => other.services.apiKeys.rotate(tenant.tenantId, keyId)],
    ['a deleted tenant', () => other.services.tenants.delete(tenant.tenantId)],
  ])('ends %s at once although the server has cached it', async (_name, change) => {
    const { api_key, key_id } = await newKey();
    expect(await statusWith(api_key)).toBe(200);
    await change(key_id);
    expect(await statusWith(api_key)).toBe(401);
  });

  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['a revoked key', (keyId) => other.services.apiKeys.revoke(tenant.tenantId, keyId)],
    ['a deleted tenant', () => other.services.tenants.delete(tenant.tenantId)],
  ])('ends the access tokens of %s', async (_name, change) => {
    const { api_key, key_id } = await newKey();
    const token = await tokenFor(api_key);
    expect(await statusWith(token)).toBe(200);
    await change(key_id);
    expect(await statusWith(token)).toBe(401);
  });

  it('uses a new signing key at once and keeps tokens of the old one', async () => {
    const token = await tokenFor(tenant.apiKey);
    const { kid } = await other.services.tokens.rotateSigningKey();
    const after = await tokenFor(tenant.apiKey);
    expect(JSON.parse(Buffer.from(after.split('.')[0] as string, 'base64url').toString())).toMatchObject({ kid });
    expect([await statusWith(token), await statusWith(after)]).toEqual([200, 200]);
  });

  it('makes a deleted tenant unknown to the operator at once', async () => {
    const path = `/api/v1/tenants/${tenant.tenantId}/api-keys`;
    const asOperator = async () => (await http.send({ path, credential: 'operator-token-of-the-tests' })).status;
    expect(await asOperator()).toBe(200);
    await other.services.tenants.delete(tenant.tenantId);
    expect(await asOperator()).toBe(404);
  });
});
