import { afterEach, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, type Received, startHttpApp } from '../../test/support/http-app.ts';
import type { HttpConfig } from './http-config.ts';

const SESSION = '/api/v1/auth/session';
const HOUR_MS = 3_600_000;

let http: HttpFixture;
afterEach(() => http.close());

const start = async (config: Partial<HttpConfig> = {}) => {
  http = await startHttpApp(config);
};

/** `name=value` of the cookie that an answer sets. */
function cookieOf(answer: Received): string {
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

const own = () => `http://127.0.0.1:${http.port}`;
const page = (cookie: string, origin = own()) => ({ Cookie: cookie, Origin: origin });
const signIn = (body: object) => http.send({ path: SESSION, body: body as never, headers: { Origin: own() } });
const show = (cookie: string) => http.send({ path: SESSION, headers: { Cookie: cookie } });
const statusOf = async (cookie: string) => (await show(cookie)).status;

async function signedIn(): Promise<{ tenantId: string; apiKey: string; cookie: string }> {
  const tenant = await http.newTenant('acme');
  return { ...tenant, cookie: cookieOf(await signIn({ api_key: tenant.apiKey })) };
}

const tokenOf = (url: string) => new URL(url).hash.slice('#t='.length);

async function linkFor(tenantId: string, credential = OPERATOR_TOKEN): Promise<string> {
  const answer = await http.send({
    method: 'POST',
    path: `/api/v1/tenants/${tenantId}/sign-in-links`,
    credential,
  });
  expect(answer.status, answer.text).toBe(201);
  return tokenOf(answer.json.url);
}

describe('signing in with an API key', () => {
  it('sets an HttpOnly, SameSite cookie and returns the signed-in user', async () => {
    await start();
    const tenant = await http.newTenant('acme');
    const answer = await signIn({ api_key: await http.newKey(tenant.tenantId, ['read', 'write']) });
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(new RegExp(`^misstep_session_${http.port}=[0-9A-Za-z]{43}; path=/; expires=`));
    expect(cookie).toMatch(/; samesite=strict; httponly$/);
    expect(answer).toMatchObject({
      status: 201,
      json: {
        tenant: { tenant_id: tenant.tenantId, name: 'acme' },
        is_operator: false,
        scopes: ['read', 'write'],
        expires_at: '2026-01-16T00:00:00.000Z',
        features: { judge: false, billing: false, mail: false, datadog: false },
      },
    });
    expect((await show(cookieOf(answer))).json).toEqual(answer.json);
  });

  it('is Secure and has the path of the public URL behind a proxy', async () => {
    await start({ publicUrl: { origin: 'https://traces.example', basePath: '/misstep' } });
    const { apiKey } = await http.newTenant();
    for (const path of [SESSION, `/misstep${SESSION}`]) {
      const answer = await http.send({
        path,
        body: { api_key: apiKey },
        headers: { Origin: 'https://traces.example' },
      });
      expect([answer.status, answer.headers['set-cookie']?.[0]]).toEqual([
        201,
        expect.stringMatching(/; path=\/misstep; .*; secure; httponly$/),
      ]);
    }
  });

  it.each([
    [{ api_key: 'mst_nothing' }, 401],
    [{ link_token: 'nothing' }, 401],
    [{}, 422],
    [{ api_key: 'a', link_token: 'b' }, 422],
  ])('refuses %o with %i', async (body, status) => {
    await start();
    const answer = await signIn(body);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
  });

  it('counts as use of the key, as do the requests of the session', async () => {
    await start();
    const tenant = await http.newTenant('acme');
    const lastUse = async () => {
      const { items } = (
        await http.send({ path: `/api/v1/tenants/${tenant.tenantId}/api-keys`, credential: OPERATOR_TOKEN })
      ).json;
      return items[0].last_used_at;
    };
    expect(await lastUse()).toBeNull();
    const cookie = cookieOf(await signIn({ api_key: tenant.apiKey }));
    await expect.poll(lastUse).toBe('2026-01-15T12:00:00.000Z');
    http.clock.advance(90_000);
    await show(cookie);
    await expect.poll(lastUse).toBe('2026-01-15T12:01:30.000Z');
  });

  it('stores hashes of cookies and links only', async () => {
    await start();
    const { tenantId, cookie } = await signedIn();
    const link = await linkFor(tenantId);
    const { db } = http.app.store;
    const rows = JSON.stringify([
      await db.selectFrom('web_sessions').selectAll().execute(),
      await db.selectFrom('sign_in_links').selectAll().execute(),
    ]);
    expect(rows).toContain('token_hash');
    for (const secret of [cookie.split('=')[1]!, link]) expect(rows).not.toContain(secret);
  });
});

describe('a one-time link', () => {
  it('is deleted when a tenant has 50 newer ones', async () => {
    await start();
    const [tenant, other] = [await http.newTenant(), await http.newTenant()];
    const untouched = await linkFor(other.tenantId);
    const links: string[] = [];
    for (let made = 0; made < 51; made += 1) {
      links.push(await linkFor(tenant.tenantId));
      http.clock.advance(1);
    }
    expect((await signIn({ link_token: links[0]! })).status).toBe(401);
    for (const link_token of [links[1]!, links[50]!, untouched])
      expect((await signIn({ link_token })).status).toBe(201);
    const { count } = http.app.store.db.fn;
    const rows = await http.app.store.db
      .selectFrom('sign_in_links')
      .select(count('token_hash').as('kept'))
      .where('expires_at', '>', 0)
      .groupBy('tenant_no')
      .execute();
    expect(Math.max(...rows.map(({ kept }) => Number(kept)))).toBe(50);
  });

  it('signs in once, and is then reported as used', async () => {
    await start();
    const { tenantId } = await http.newTenant('acme');
    const link_token = await linkFor(tenantId);
    expect(await signIn({ link_token })).toMatchObject({
      status: 201,
      json: { tenant: { tenant_id: tenantId }, is_operator: false, key_id: null },
    });
    expect(await signIn({ link_token })).toMatchObject({
      status: 401,
      json: { detail: expect.stringContaining('already used') },
    });
  });

  it('signs in one of two concurrent users', async () => {
    await start();
    const link_token = await linkFor((await http.newTenant()).tenantId);
    const answers = await Promise.all([signIn({ link_token }), signIn({ link_token })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
  });

  it('expires after ten minutes', async () => {
    await start();
    const { tenantId } = await http.newTenant();
    const [first, second] = [await linkFor(tenantId), await linkFor(tenantId)];
    http.clock.advance(599_000);
    expect((await signIn({ link_token: first })).status).toBe(201);
    http.clock.advance(1_000);
    expect(await signIn({ link_token: second })).toMatchObject({
      status: 401,
      json: { detail: expect.stringContaining('expired') },
    });
  });

  it('has the URL of the page and the token in the fragment', async () => {
    await start();
    http.services.webAddress.moveTo('https://traces.example/misstep');
    const { tenantId } = await http.newTenant();
    const path = `/api/v1/tenants/${tenantId}/sign-in-links`;
    const { json } = await http.send({ method: 'POST', path, credential: OPERATOR_TOKEN });
    expect(json.url).toMatch(/^https:\/\/traces\.example\/misstep\/ui\/sign-in#t=[0-9A-Za-z]{43}$/);
  });

  it('created with a key has its scopes and ends with it', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant();
    const admin = await http.newKey(tenantId, ['read', 'admin']);
    const cookie = cookieOf(await signIn({ link_token: await linkFor(tenantId, admin) }));
    const { json } = await show(cookie);
    expect(json.scopes).toEqual(['read', 'admin']);
    const unused = await linkFor(tenantId, admin);
    await http.send({
      method: 'DELETE',
      path: `/api/v1/tenants/${tenantId}/api-keys/${json.key_id}`,
      credential: apiKey,
    });
    expect(await statusOf(cookie)).toBe(401);
    expect((await signIn({ link_token: unused })).status).toBe(401);
  });

  it('of the operator has the rights of the operator', async () => {
    await start();
    const made = await http.send({ method: 'POST', path: '/api/v1/auth/sign-in-links', credential: OPERATOR_TOKEN });
    const answer = await signIn({ link_token: tokenOf(made.json.url) });
    expect(answer.json).toMatchObject({ tenant: null, is_operator: true });
    const headers = page(cookieOf(answer));
    const created = await http.send({ path: '/api/v1/auth/tenants', body: { name: 'first' }, headers });
    expect(created.status).toBe(201);
    expect((await http.send({ path: '/api/v1/tenants', headers })).json.items).toHaveLength(1);
    const log = await http.send({ path: '/api/v1/audit-log', headers });
    expect(log.json.items.map(({ actor }: { actor: string }) => actor)).toContain('operator');
  });
});

describe('a session', () => {
  it('has the rights of its scopes and is in the audit log as the one who made its link', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant('acme');
    const { tenantId: other } = await http.newTenant('other');
    const cookie = cookieOf(await signIn({ link_token: await linkFor(tenantId) }));
    const path = `/api/v1/tenants/${tenantId}/settings/thresholds`;
    const put = { method: 'PUT', path, body: { token_budget: 100 }, headers: page(cookie) };
    expect((await http.send(put)).status).toBe(200);
    const log = await http.send({ path: `/api/v1/tenants/${tenantId}/audit-log`, credential: apiKey });
    expect(log.json.items).toContainEqual(
      expect.objectContaining({ action: 'thresholds.change', actor: 'operator', outcome: 'done' }),
    );
    const foreign = await http.send({ path: `/api/v1/tenants/${other}`, headers: { Cookie: cookie } });
    expect(foreign).toMatchObject({ status: 403, json: { code: 'wrong_tenant' } });
    const reader = cookieOf(await signIn({ api_key: await http.newKey(tenantId, ['read']) }));
    expect((await http.send({ ...put, headers: page(reader) })).status).toBe(403);
  });

  it.each([
    ['no Origin', {}],
    ['the Origin of a page that CORS allows', { Origin: 'http://localhost:3000' }],
    ['the Origin of another port', { Origin: 'http://127.0.0.1:1' }],
    ['no Origin from a page of the site', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('changes nothing with %s', async (_name, origin) => {
    await start({ corsOrigins: ['http://localhost:3000'] });
    const { tenantId, cookie } = await signedIn();
    const path = `/api/v1/tenants/${tenantId}/settings/thresholds`;
    const headers = { Cookie: cookie, ...origin };
    const answer = await http.send({ method: 'PUT', path, body: { token_budget: 100 }, headers });
    expect(answer).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } });
    const signedOut = await http.send({ method: 'DELETE', path: SESSION, headers });
    expect(signedOut.status).toBe(403);
    expect(await statusOf(cookie)).toBe(200);
  });

  it('ends at sign-out', async () => {
    await start();
    const { cookie } = await signedIn();
    const answer = await http.send({ method: 'DELETE', path: SESSION, headers: page(cookie) });
    expect([answer.status, cookieOf(answer)]).toEqual([204, `misstep_session_${http.port}=`]);
    expect(await statusOf(cookie)).toBe(401);
    expect((await http.send({ method: 'DELETE', path: SESSION, headers: page(cookie) })).status).toBe(204);
  });

  it('ends after 12 hours without activity, and after 7 days at most', async () => {
    await start();
    const { cookie } = await signedIn();
    for (let hours = 11; hours < 7 * 24; hours += 11) {
      http.clock.advance(11 * HOUR_MS);
      expect(await statusOf(cookie)).toBe(200);
      // The last use is written asynchronously.
      await new Promise((resolve) => setImmediate(resolve));
    }
    http.clock.advance(4 * HOUR_MS);
    expect(await statusOf(cookie)).toBe(401);
    const idle = cookieOf(await signIn({ api_key: (await http.newTenant()).apiKey }));
    http.clock.advance(12 * HOUR_MS);
    const answer = await show(idle);
    expect([answer.status, cookieOf(answer)]).toEqual([401, `misstep_session_${http.port}=`]);
  });

  it('ends at the moment its key expires', async () => {
    await start();
    const { tenantId, apiKey } = await http.newTenant('acme');
    const made = await http.send({
      path: `/api/v1/tenants/${tenantId}/api-keys`,
      credential: apiKey,
      body: { name: 'short', scopes: ['read'], expires_at: new Date(http.clock.now() + 30_000).toISOString() } as never,
    });
    expect(made.status, made.text).toBe(201);
    const cookie = cookieOf(await signIn({ api_key: made.json.api_key }));
    expect((await show(cookie)).json.expires_at).toBe(new Date(http.clock.now() + 30_000).toISOString());
    http.clock.advance(30_000);
    expect(await statusOf(cookie)).toBe(401);
  });

  it.each([
    ['revoked', 'DELETE', ''],
    ['rotated', 'POST', '/rotate'],
  ])('ends when its key is %s', async (_name, method, suffix) => {
    await start();
    const { tenantId, apiKey, cookie } = await signedIn();
    const { key_id } = (await show(cookie)).json;
    expect(key_id).toMatch(/^key_/);
    await http.send({ method, path: `/api/v1/tenants/${tenantId}/api-keys/${key_id}${suffix}`, credential: apiKey });
    expect(await statusOf(cookie)).toBe(401);
  });

  it('ends with its tenant', async () => {
    await start();
    const { tenantId, cookie } = await signedIn();
    await http.services.tenants.delete(tenantId);
    expect(await statusOf(cookie)).toBe(401);
    expect(await http.app.store.db.selectFrom('web_sessions').selectAll().execute()).toEqual([]);
  });

  it('of the operator ends when the operator’s credential changes', async () => {
    await start();
    const { sessions } = http.services;
    const { token } = await sessions.createOperatorLink();
    const opened = await sessions.open({ linkToken: token }, 'hash of one');
    expect(await sessions.authenticate(opened.token, 'hash of another')).toBeNull();
    expect(await sessions.authenticate(opened.token, 'hash of one')).toMatchObject({ isOperator: true });
  });

  it('is ignored if the headers have a credential', async () => {
    await start();
    const { cookie } = await signedIn();
    const answer = await http.send({ path: SESSION, credential: OPERATOR_TOKEN, headers: { Cookie: cookie } });
    expect(answer.json).toMatchObject({ is_operator: true, expires_at: null });
  });

  it('encrypts the stored response of an idempotent request with the cookie', async () => {
    await start();
    const { tenantId, cookie } = await signedIn();
    const sent = {
      path: `/api/v1/tenants/${tenantId}/api-keys`,
      body: { name: 'agent', scopes: ['ingest'] },
      headers: { ...page(cookie), 'Idempotency-Key': 'one' },
    };
    const made = await http.send(sent);
    expect((await http.send(sent)).json).toEqual(made.json);
    const stored = await http.app.store.db.selectFrom('idempotency_keys').select('response').execute();
    expect(JSON.stringify(stored)).not.toContain(made.json.api_key);
  });
});

describe('the requests of a session', () => {
  const limit = (requests: number) => ({ requests, windowSeconds: 60 });

  it('are limited separately from its address', async () => {
    await start({ rateLimits: { global: limit(2), auth: limit(100), session: limit(3) } });
    const { apiKey, cookie } = await signedIn();
    const statuses = async (count: number, sent: object) => {
      const all: number[] = [];
      for (let round = 0; round < count; round += 1) all.push((await http.send({ path: SESSION, ...sent })).status);
      return all;
    };
    // Sign-in was one request of the address.
    expect(await statuses(2, { credential: apiKey })).toEqual([200, 429]);
    expect(await statuses(4, { headers: { Cookie: cookie } })).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, { headers: { Cookie: `${cookie}x` } })).toEqual([429]);
  });

  it('to sign in have the stricter limit, with or without a session', async () => {
    await start({ rateLimits: { global: limit(100), auth: limit(2), session: limit(100) } });
    const { cookie } = await signedIn();
    const guess = () => http.send({ path: SESSION, body: { api_key: 'x' }, headers: page(cookie) });
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 429]);
    expect(await statusOf(cookie)).toBe(200);
  });
});

/** The checks of open streams, called by the test instead of a timer. */
async function startWithChecks(): Promise<(() => void)[]> {
  const checks: (() => void)[] = [];
  const checkEverySecond = (check: () => void) => {
    checks.push(check);
    return () => {};
  };
  http = await startHttpApp({}, {}, { checkEverySecond });
  return checks;
}

describe('an event stream', () => {
  it('accepts the cookie, and closes soon after the session ends', async () => {
    const checks = await startWithChecks();
    const { cookie } = await signedIn();
    const response = await fetch(`${http.url}/api/v1/flowplatform/stream`, { headers: { Cookie: cookie } });
    expect(response.status).toBe(200);
    const text = response.text();
    checks[0]!();
    await http.send({ method: 'DELETE', path: SESSION, headers: page(cookie) });
    checks[0]!();
    expect(await text).toMatch(/event: connected[\s\S]*event: closing[\s\S]*unauthenticated/);
  });

  it('that stays open does not count as activity', async () => {
    const checks = await startWithChecks();
    const { cookie } = await signedIn();
    const response = await fetch(`${http.url}/api/v1/flowplatform/stream`, { headers: { Cookie: cookie } });
    const text = response.text();
    for (let hour = 0; hour < 13; hour += 1) {
      http.clock.advance(HOUR_MS);
      checks[0]!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await text).toContain('unauthenticated');
  });
});
