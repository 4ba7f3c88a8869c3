import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenedStore, openStore } from '../../store/open-store.ts';
import { insertTenant } from '../../store/tenant.store.ts';
import type { PageRequest } from '../_kit/page.ts';
import { createCipher } from '../integrations/cipher.ts';
import { createIdentity, type Identity } from './create-identity.ts';

const cipher = createCipher(() => 'secret of the tests', randomBytes);
const MINUTE = 60_000;
const FIRST_PAGE: PageRequest = { page: 1, pageSize: 50, cursor: null };

let store: OpenedStore;
let now: number;
let identity: Identity;
/** A second process over the same database. */
let other: Identity;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 15, 12);
  const clock = { now: () => now };
  const leases = { owner: async () => 'me' };
  store = await openStore({ file: ':memory:', durability: 'normal' }, clock);
  identity = createIdentity({ db: store.db, clock, cipher, leases });
  other = createIdentity({ db: store.db, clock, cipher, leases });
});
afterEach(() => store.close());

const scopesOf = async (credential: string, of: Identity = identity) =>
  (credential.startsWith('mst_') ? await of.apiKeys.authenticate(credential) : await of.tokens.verify(credential))
    ?.scopes ?? null;

describe('tenants', () => {
  it('start with a key of all scopes', async () => {
    const tenant = await identity.tenants.create({ name: 'acme' });
    expect(await identity.apiKeys.authenticate(tenant.api_key)).toEqual({
      tenantId: tenant.tenant_id,
      keyId: expect.stringMatching(/^key_/),
      scopes: ['ingest', 'read', 'write', 'admin'],
      isOperator: false,
    });
    expect(await identity.tenants.get(tenant.tenant_id)).toEqual({
      tenant_id: tenant.tenant_id,
      name: 'acme',
      created_at: '2026-01-15T12:00:00.000Z',
    });
  });

  it('never get the number of a deleted one', async () => {
    const first = await identity.tenants.create({ name: 'first' });
    const number = await identity.tenants.resolve(first.tenant_id);
    await identity.tenants.delete(first.tenant_id);
    const second = await identity.tenants.create({ name: 'second' });
    expect(await identity.tenants.resolve(second.tenant_id)).not.toBe(number);
  });

  it('are numbered above existing ones', async () => {
    await store.db.insertInto('tenants').values({ tenant_id: 'ten_x', name: 'x', created_at: 0 }).execute();
    const row = await insertTenant(store.db, { tenant_id: 'ten_y', name: 'y', created_at: 0 });
    expect(row.tenant_no).toBe(2);
  });

  it('vanish with their credentials', async () => {
    const tenant = await identity.tenants.create({ name: 'acme' });
    const { access_token } = await identity.tokens.exchange(tenant.api_key);
    expect(await scopesOf(access_token)).not.toBeNull();
    await identity.tenants.delete(tenant.tenant_id);
    expect(await scopesOf(tenant.api_key)).toBeNull();
    expect(await scopesOf(access_token)).toBeNull();
    expect(await identity.tenants.resolve(tenant.tenant_id)).toBeNull();
    await expect(identity.tenants.delete(tenant.tenant_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(identity.tenants.tenantNoOf(tenant.tenant_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are listed by page and by cursor', async () => {
    for (let count = 0; count < 5; count += 1) {
      now += 1;
      await identity.tenants.create({ name: `t${count}` });
    }
    const first = await identity.tenants.list({ ...FIRST_PAGE, pageSize: 2 });
    expect(first).toMatchObject({ total: 5, has_more: true, items: [{ name: 't0' }, { name: 't1' }] });
    const next = await identity.tenants.list({ page: 1, pageSize: 2, cursor: first.next_cursor });
    expect(next.items.map((tenant) => tenant.name)).toEqual(['t2', 't3']);
    const last = await identity.tenants.list({ page: 3, pageSize: 2, cursor: null });
    expect(last).toMatchObject({ has_more: false, next_cursor: null, items: [{ name: 't4' }] });
  });
});

describe('API keys', () => {
  let tenantId: string;
  beforeEach(async () => {
    tenantId = (await identity.tenants.create({ name: 'acme' })).tenant_id;
  });
  const newKey = (expiresAt: number | null = null) =>
    identity.apiKeys.create(tenantId, { name: 'k', scopes: ['read'], expiresAt });

  it('hold only their scopes', async () => {
    expect(await scopesOf((await newKey()).api_key)).toEqual(['read']);
  });

  it('are not stored in the clear', async () => {
    const { api_key } = await newKey();
    const rows = await store.db.selectFrom('api_keys').selectAll().execute();
    const secret = api_key.split('_')[2]?.slice(0, 43) ?? '';
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('end at once when revoked here, and within a minute when revoked by another process', async () => {
    const [here, elsewhere] = [await newKey(), await newKey()];
    expect([await scopesOf(here.api_key), await scopesOf(elsewhere.api_key)]).toEqual([['read'], ['read']]);
    await identity.apiKeys.revoke(tenantId, here.key_id);
    await other.apiKeys.revoke(tenantId, elsewhere.key_id);
    expect(await scopesOf(here.api_key)).toBeNull();
    now += MINUTE;
    expect(await scopesOf(elsewhere.api_key)).toBeNull();
  });

  it('stay revoked when revoked during an authentication', async () => {
    const { api_key, key_id } = await newKey();
    await Promise.all([identity.apiKeys.authenticate(api_key), identity.apiKeys.revoke(tenantId, key_id)]);
    expect(await scopesOf(api_key)).toBeNull();
  });

  it('expire on time, cached or not', async () => {
    const { api_key } = await newKey(now + 5_000);
    expect(await scopesOf(api_key)).toEqual(['read']);
    now += 5_000;
    expect(await scopesOf(api_key)).toBeNull();
  });

  it('take a new secret in rotation', async () => {
    const before = await newKey();
    expect(await scopesOf(before.api_key)).toEqual(['read']);
    const after = await identity.apiKeys.rotate(tenantId, before.key_id);
    expect(after.key_id).toBe(before.key_id);
    expect([await scopesOf(before.api_key), await scopesOf(after.api_key)]).toEqual([null, ['read']]);
  });

  it('are refused with a past expiry, and rotate only while alive', async () => {
    await expect(newKey(now)).rejects.toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/expires_at' }] });
    const { key_id } = await newKey();
    await identity.apiKeys.revoke(tenantId, key_id);
    await identity.apiKeys.revoke(tenantId, key_id);
    await expect(identity.apiKeys.rotate(tenantId, key_id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('are out of reach for another tenant', async () => {
    const stranger = (await identity.tenants.create({ name: 'other' })).tenant_id;
    const { key_id, api_key } = await newKey();
    await expect(identity.apiKeys.revoke(stranger, key_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(identity.apiKeys.rotate(stranger, key_id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await scopesOf(api_key)).toEqual(['read']);
  });

  it('note their last use, at most once a minute', async () => {
    const { api_key, key_id } = await newKey();
    const lastUse = async () => {
      const { items } = await identity.apiKeys.list(tenantId, FIRST_PAGE);
      return items.find((key) => key.key_id === key_id)?.last_used_at;
    };
    expect(await lastUse()).toBeNull();
    await scopesOf(api_key);
    expect(await lastUse()).toBe('2026-01-15T12:00:00.000Z');
    now += 59_000;
    await scopesOf(api_key);
    expect(await lastUse()).toBe('2026-01-15T12:00:00.000Z');
    now += 1_000;
    await scopesOf(api_key);
    expect(await lastUse()).toBe('2026-01-15T12:01:00.000Z');
  });
});

describe('access tokens', () => {
  it('live an hour with the scopes of their key', async () => {
    const tenant = await identity.tenants.create({ name: 'acme' });
    const key = await identity.apiKeys.create(tenant.tenant_id, { name: 'k', scopes: ['read'], expiresAt: null });
    const token = await identity.tokens.exchange(key.api_key);
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(await identity.tokens.verify(token.access_token)).toEqual({
      tenantId: tenant.tenant_id,
      keyId: key.key_id,
      scopes: ['read'],
      isOperator: false,
    });
    now += 3_600_000;
    expect(await scopesOf(token.access_token)).toBeNull();
  });

  it('live no longer than their key', async () => {
    const tenant = await identity.tenants.create({ name: 'acme' });
    const key = { name: 'k', scopes: ['read'], expiresAt: now + 10_000 } as const;
    const { api_key } = await identity.apiKeys.create(tenant.tenant_id, key);
    expect((await identity.tokens.exchange(api_key)).expires_in).toBe(10);
  });

  it('end with their key', async () => {
    const tenant = await identity.tenants.create({ name: 'acme' });
    const { api_key, key_id } = await identity.apiKeys.create(tenant.tenant_id, {
      name: 'k',
      scopes: ['read'],
      expiresAt: null,
    });
    const { access_token } = await identity.tokens.exchange(api_key);
    expect(await scopesOf(access_token)).toEqual(['read']);
    await identity.apiKeys.revoke(tenant.tenant_id, key_id);
    expect(await scopesOf(access_token)).toBeNull();
    await expect(identity.tokens.exchange(api_key)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('survive a rotation of the signing key, also one by another process, and no more than an hour', async () => {
    const { api_key } = await identity.tenants.create({ name: 'acme' });
    const old = await identity.tokens.exchange(api_key);
    const { kid } = await other.tokens.rotateSigningKey();
    now += 2_000;
    const fresh = await other.tokens.exchange(api_key);
    expect(JSON.parse(Buffer.from(fresh.access_token.split('.')[0] ?? '', 'base64url').toString()).kid).toBe(kid);
    expect(await scopesOf(old.access_token, other)).toHaveLength(4);
    expect(await scopesOf(fresh.access_token)).toHaveLength(4);
    now += 3_600_000 + MINUTE;
    await identity.tokens.rotateSigningKey();
    const kept = await store.db.selectFrom('signing_keys').select('kid').execute();
    expect(kept).toHaveLength(2);
  });
});

describe('idempotency', () => {
  const request = { tenantNo: 1, key: 'k1', requestHash: 'h1', sealingCredential: null };
  const answer = { status: 201, body: '{"id":1}' };
  const never = () => Promise.reject(new Error('ran again'));

  it('gives the first answer again for a day', async () => {
    expect(await identity.idempotency.once(request, async () => answer)).toEqual({ ...answer, isReplay: false });
    expect(await identity.idempotency.once(request, never)).toEqual({ ...answer, isReplay: true });
    expect(await other.idempotency.once(request, never)).toEqual({ ...answer, isReplay: true });
    now += 24 * 3_600_000 + 1;
    expect((await identity.idempotency.once(request, async () => answer)).isReplay).toBe(false);
  });

  it('keeps tenants and keys apart', async () => {
    await identity.idempotency.once(request, async () => answer);
    for (const change of [{ tenantNo: 2 }, { key: 'k2' }]) {
      expect((await identity.idempotency.once({ ...request, ...change }, async () => answer)).isReplay).toBe(false);
    }
  });

  /** Begins a request and comes back once it runs; `finish` ends it. */
  async function begin() {
    const started = Promise.withResolvers<void>();
    const done = Promise.withResolvers<typeof answer>();
    const first = identity.idempotency.once(request, () => {
      started.resolve();
      return done.promise;
    });
    await started.promise;
    return { first, finish: done.resolve };
  }

  it('refuses another request, and a second one while the first runs', async () => {
    const { first, finish } = await begin();
    await expect(identity.idempotency.once(request, never)).rejects.toMatchObject({ code: 'conflict' });
    finish(answer);
    await first;
    const changed = { ...request, requestHash: 'h2' };
    await expect(identity.idempotency.once(changed, never)).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('does not store a failure or a run that a crash ended', async () => {
    await expect(identity.idempotency.once(request, never)).rejects.toThrow('ran again');
    await begin();
    await expect(identity.idempotency.once(request, never)).rejects.toMatchObject({ code: 'conflict' });
    now += 16 * MINUTE;
    expect(await identity.idempotency.once(request, async () => answer)).toEqual({ ...answer, isReplay: false });
  });

  it('keeps an answer with a secret only sealed', async () => {
    const sealed = { ...request, sealingCredential: 'mst_one' };
    await identity.idempotency.once(sealed, async () => answer);
    const { response } = await store.db.selectFrom('idempotency_keys').select('response').executeTakeFirstOrThrow();
    expect(response).not.toContain('"');
    expect(await identity.idempotency.once(sealed, never)).toEqual({ ...answer, isReplay: true });
    const stranger = { ...sealed, sealingCredential: 'mst_two' };
    await expect(identity.idempotency.once(stranger, never)).rejects.toMatchObject({ code: 'conflict' });
  });
});
