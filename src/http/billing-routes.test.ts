import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type HttpFixture,
  OPERATOR_TOKEN,
  type Received,
  startHttpApp,
  type Tenant,
} from '../../test/support/http-app.ts';
import { runSpans, toRequest } from '../../test/support/store-app.ts';
import { STRIPE_KEY, type StripeServer, startStripeServer } from '../../test/support/stripe-server.ts';
import type { PaymentConfig } from '../platforms/stripe/payment-provider.ts';
import { createStripeProvider } from '../platforms/stripe/stripe-provider.ts';
import { AGENTS_SDK_PATH } from './routes/openai-agents.ts';

const BILLING = '/api/v1/billing';
const SECRET = 'whsec_of_the_tests';
const OLD_SECRET = 'whsec_rotated_out';
let stripe: StripeServer;
let http: HttpFixture;
let tenant: Tenant;

const payment = (): PaymentConfig => ({
  secretKey: STRIPE_KEY,
  webhookSecrets: [SECRET, OLD_SECRET],
  prices: { pro: { priceId: 'price_pro', usdPerMonth: 49 }, team: { priceId: 'price_team', usdPerMonth: null } },
  returnUrl: null,
  address: stripe.address,
});

beforeAll(async () => {
  stripe = await startStripeServer(() => Math.floor(http.clock.now() / 1000) + 86_400);
  http = await startHttpApp({}, { payment: payment() });
});
beforeEach(async () => {
  tenant = await http.newTenant();
  stripe.requests.length = 0;
});
afterAll(async () => {
  await http.close();
  await stripe.close();
});

const now = () => Math.floor(http.clock.now() / 1000);
const sign = (payload: string, time = now(), secret = SECRET) =>
  createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');

let count = 0;
function eventOf(type: string, object: object, more: object = {}): string {
  count += 1;
  const event = { id: `evt_${count}`, object: 'event', created: now(), type, data: { object }, ...more };
  return JSON.stringify(event);
}

function deliver(payload: string, signature = `t=${now()},v1=${sign(payload)}`, name = 'payment-signature') {
  const headers = { 'Content-Type': 'application/json', [name]: signature };
  return http.send({ path: `${BILLING}/webhooks/payment`, body: Buffer.from(payload), headers });
}

const subscriptionOf = (status: string, more: object = {}) => ({
  id: `sub_${tenant.tenantId}`,
  object: 'subscription',
  customer: `cus_${tenant.tenantId}`,
  status,
  cancel_at_period_end: false,
  items: { object: 'list', data: [{ price: { id: 'price_pro' }, current_period_end: now() + 86_400 }] },
  metadata: { tenant_id: tenant.tenantId, plan: 'pro' },
  ...more,
});
const subscribe = (status = 'active') => deliver(eventOf('customer.subscription.updated', subscriptionOf(status)));
const get = (path: string, credential: string | null = tenant.apiKey) =>
  http.send({ path: BILLING + path, credential });
const planNow = async () => (await get('/status')).json.plan;
const checkout = (body: object) =>
  http.send({ path: `${BILLING}/checkout`, body: body as never, credential: tenant.apiKey });
const ORDER = { plan: 'pro', success_url: 'https://app.example.com/done' };

describe('plans', () => {
  it('are public, with quotas and prices', async () => {
    const { status, json } = await get('/plans', null);
    expect(status).toBe(200);
    expect(json.items.map((item: { plan: string; can_buy: boolean }) => [item.plan, item.can_buy])).toEqual([
      ['free', false],
      ['pro', true],
      ['team', true],
      ['enterprise', false],
    ]);
    expect(json.items[1]).toMatchObject({ price_per_month: 49, quotas: { traces_per_day: 50_000 } });
  });
});

describe('a checkout', () => {
  it('is created at the provider for the tenant', async () => {
    const { status, json } = await checkout(ORDER);
    expect(status).toBe(201);
    expect(json).toMatchObject({ session_id: 'cs_test_1', checkout_url: expect.stringMatching(/^https:/) });
    expect(stripe.requests).toHaveLength(1);
    expect(stripe.requests[0]?.form).toEqual({
      mode: 'subscription',
      'line_items[0][price]': 'price_pro',
      'line_items[0][quantity]': '1',
      client_reference_id: tenant.tenantId,
      'metadata[tenant_id]': tenant.tenantId,
      'metadata[plan]': 'pro',
      'subscription_data[metadata][tenant_id]': tenant.tenantId,
      'subscription_data[metadata][plan]': 'pro',
      success_url: ORDER.success_url,
      cancel_url: ORDER.success_url,
    });
  });

  it.each([
    ['a plan without a price', { ...ORDER, plan: 'enterprise' }, '/plan'],
    ['the free plan', { ...ORDER, plan: 'free' }, '/plan'],
    ['no return URL', { plan: 'pro' }, '/success_url'],
    ['a return URL that is not http(s)', { ...ORDER, success_url: 'javascript:alert(1)' }, '/success_url'],
  ])('with %s is 422', async (_title, body, pointer) => {
    expect(await checkout(body)).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
    expect(stripe.requests).toEqual([]);
  });

  it('is refused to tenants with a subscription and to keys without `admin`', async () => {
    await subscribe();
    expect(await checkout(ORDER)).toMatchObject({ status: 409, json: { code: 'conflict' } });
    const writer = await http.newKey(tenant.tenantId, ['read', 'write', 'ingest']);
    expect((await http.send({ path: `${BILLING}/checkout`, body: ORDER, credential: writer })).status).toBe(403);
    expect((await http.send({ path: `${BILLING}/checkout`, body: ORDER, credential: OPERATOR_TOKEN })).status).toBe(
      403,
    );
  });

  it.each([
    ['refuses the key', { status: 401, message: 'Invalid API Key provided: sk_test_of*****' }, 502, 'unreachable'],
    ['refuses the request', { status: 400, message: 'No such price' }, 502, 'unreachable'],
    ['limits the request rate', { status: 429, message: 'Too many' }, 503, 'unavailable'],
    ['fails', { status: 500, message: 'oops' }, 502, 'unreachable'],
    ['closes the connection', 'cut' as const, 502, 'unreachable'],
  ])('reports that the provider %s, without the key', async (_title, how, status, code) => {
    stripe.next.push(how, how);
    const answer = await checkout(ORDER);
    stripe.next.length = 0;
    expect(answer).toMatchObject({ status, json: { code } });
    expect(answer.text).not.toContain('sk_test');
  });
});

describe('the portal', () => {
  const portal = () => get('/portal?return_url=https%3A%2F%2Fapp.example.com');

  it('is available after a purchase', async () => {
    expect(await portal()).toMatchObject({ status: 409, json: { code: 'conflict' } });
    await subscribe();
    expect(await portal()).toMatchObject({ status: 200, json: { portal_url: expect.stringMatching(/^https:/) } });
    expect(stripe.requests.at(-1)?.form).toMatchObject({ customer: `cus_${tenant.tenantId}` });
  });

  it('needs a return URL', async () => {
    await subscribe();
    expect(await get('/portal')).toMatchObject({ status: 400, json: { errors: [{ pointer: '?return_url' }] } });
  });
});

describe('the signature of an event', () => {
  const payload = () => eventOf('customer.subscription.updated', subscriptionOf('active'));

  it.each<[string, (text: string) => string | [string, string], number]>([
    ['that is valid', (text) => `t=${now()},v1=${sign(text)}`, 200],
    ['in the header of the provider', (text) => [`t=${now()},v1=${sign(text)}`, 'Stripe-Signature'], 200],
    ['with the other secret', (text) => `t=${now()},v1=${sign(text, now(), OLD_SECRET)}`, 200],
    ['among several', (text) => `t=${now()},v1=${'0'.repeat(64)},v1=${sign(text)},v0=${'1'.repeat(64)}`, 200],
    ['of five minutes ago', (text) => `t=${now() - 300},v1=${sign(text, now() - 300)}`, 200],
    ['of more than five minutes ago', (text) => `t=${now() - 301},v1=${sign(text, now() - 301)}`, 401],
    ['of five minutes ahead', (text) => `t=${now() + 300},v1=${sign(text, now() + 300)}`, 200],
    ['of more than five minutes ahead', (text) => `t=${now() + 301},v1=${sign(text, now() + 301)}`, 401],
    ['with two times', (text) => `t=${now()},t=${now() + 900},v1=${sign(text, now() + 900)}`, 401],
    ['with an older scheme only', (text) => `t=${now()},v0=${sign(text)}`, 401],
    ['of another time', (text) => `t=${now() - 1},v1=${sign(text)}`, 401],
    ['with an unknown secret', (text) => `t=${now()},v1=${sign(text, now(), 'whsec_x')}`, 401],
    ['in capitals', (text) => `t=${now()},v1=${sign(text).toUpperCase()}`, 401],
    ['of another body', (text) => `t=${now()},v1=${sign(`${text} `)}`, 401],
    ['that is malformed', () => 'nonsense', 401],
  ])('of the payload %s has the expected status', async (_title, make, status) => {
    const text = payload();
    const signed = make(text);
    const [signature, name] = typeof signed === 'string' ? [signed] : signed;
    expect((await deliver(text, signature, name)).status).toBe(status);
    expect(await planNow()).toBe(status === 200 ? 'pro' : 'free');
  });

  it('is required', async () => {
    const answer = await http.send({ path: `${BILLING}/webhooks/payment`, body: Buffer.from(payload()) });
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' } });
  });

  it('is accepted from the provider’s own library', async () => {
    const text = payload();
    const header = new Stripe(STRIPE_KEY).webhooks.generateTestHeaderString({
      payload: text,
      secret: SECRET,
      timestamp: now(),
    });
    expect((await deliver(text, header)).status).toBe(200);
  });

  it.each([
    ['no JSON', '{"id":', 400],
    ['no event', '{}', 422],
    ['a subscription without status', () => eventOf('customer.subscription.updated', { id: 'sub_1' }), 422],
  ])('does not make %s valid', async (_title, payload, status) => {
    const text = typeof payload === 'string' ? payload : payload();
    expect((await deliver(text)).status).toBe(status);
  });

  it('does not raise the size limit of the body', async () => {
    expect((await deliver('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('an event', () => {
  const counts = (answer: Received) => [answer.status, answer.json.handled, answer.json.duplicate];

  it('of a purchase sets the plan once', async () => {
    const session = {
      id: 'cs_1',
      object: 'checkout.session',
      mode: 'subscription',
      payment_status: 'paid',
      customer: 'cus_a',
      subscription: `sub_${tenant.tenantId}`,
      client_reference_id: tenant.tenantId,
      metadata: { plan: 'team' },
    };
    const text = eventOf('checkout.session.completed', session);
    expect(counts(await deliver(text))).toEqual([200, true, false]);
    expect(await planNow()).toBe('team');
    await deliver(eventOf('customer.subscription.deleted', subscriptionOf('canceled')));
    expect(await planNow()).toBe('free');
    expect(counts(await deliver(text))).toEqual([200, true, true]);
    expect(await planNow()).toBe('free');
  });

  it('sent eight times at once is applied once', async () => {
    const text = eventOf('customer.subscription.created', subscriptionOf('active'));
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(text)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(answers.filter((answer) => answer.json.duplicate === false)).toHaveLength(1);
  });

  it('that is older than the stored state changes nothing', async () => {
    await subscribe();
    await deliver(eventOf('customer.subscription.updated', subscriptionOf('unpaid'), { created: now() - 60 }));
    expect(await planNow()).toBe('pro');
  });

  it('about a failed payment changes the status but not the plan; a payment resets the status', async () => {
    await subscribe();
    const invoice = {
      customer: `cus_${tenant.tenantId}`,
      parent: { subscription_details: { subscription: `sub_${tenant.tenantId}` } },
    };
    await deliver(eventOf('invoice.payment_failed', invoice));
    expect((await get('/status')).json).toMatchObject({ plan: 'pro', subscription: { status: 'past_due' } });
    await deliver(eventOf('invoice.paid', invoice));
    expect((await get('/status')).json).toMatchObject({ plan: 'pro', subscription: { status: 'active' } });
  });

  it.each([
    ['another type', 'charge.refunded', {}],
    ['a tenant that does not exist', 'customer.subscription.updated', { metadata: { tenant_id: 'ten_nobody' } }],
    ['an unknown customer', 'invoice.paid', { customer: 'cus_nobody' }],
  ])('of %s is accepted and ignored', async (_title, type, more) => {
    const text = eventOf(type, type.startsWith('customer.') ? subscriptionOf('active', more) : more);
    expect(counts(await deliver(text)).slice(0, 2)).toEqual([200, false]);
    expect(await planNow()).toBe('free');
  });
});

describe('the quota of a day', () => {
  const ingest = (run: number) => {
    const { body } = toRequest(runSpans(run));
    const headers = { 'Content-Type': 'application/json' };
    return http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/traces/ingest`,
      body,
      headers,
      credential: tenant.apiKey,
    });
  };
  /** Stores the spans of `traces` traces directly. */
  async function fill(traces: number): Promise<void> {
    const spans = Array.from({ length: traces }, (_, at) => ({
      ...(runSpans(at)[3] as ReturnType<typeof runSpans>[number]),
    }));
    await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
  }

  it('rejects ingest on every route with 402 until midnight or a purchase', async () => {
    await fill(999);
    expect((await ingest(5_000)).status).toBe(202);
    const refused = await ingest(5_001);
    expect(refused).toMatchObject({ status: 402, json: { code: 'quota_exceeded' } });
    expect(refused.json.detail).toContain('traces_per_day');
    const { body } = toRequest(runSpans(5_002));
    const headers = { 'Content-Type': 'application/json' };
    const standard = await http.send({ path: '/v1/traces', body, headers, credential: tenant.apiKey });
    expect(standard).toMatchObject({ status: 402, json: { code: 8 } });
    const agentsSdk = Buffer.from(JSON.stringify({ data: [{ object: 'trace', id: 'trace_over' }] }));
    const sdk = await http.send({ path: AGENTS_SDK_PATH, body: agentsSdk, headers, credential: tenant.apiKey });
    expect(sdk).toMatchObject({ status: 402, json: { code: 8 } });
    expect((await get('/status')).json).toMatchObject({
      usage: { traces_today: 1_000 },
      quotas: { traces_per_day: 1_000 },
    });
    await subscribe();
    expect((await ingest(5_003)).status).toBe(202);
    await deliver(eventOf('customer.subscription.deleted', subscriptionOf('canceled')));
    expect((await ingest(5_004)).status).toBe(402);
    http.clock.advance(86_400_000);
    expect((await ingest(5_005)).status).toBe(202);
  });

  it('counts traces, not requests or spans', async () => {
    await fill(999);
    for (let time = 0; time < 3; time += 1) expect((await ingest(7)).status).toBe(202);
    expect((await get('/status')).json.usage).toEqual({ traces_today: 999, seats: 1 });
  });

  it('is separate per tenant', async () => {
    await fill(1_000);
    const other = await http.newTenant('other');
    const { body } = toRequest(runSpans(1));
    const headers = { 'Content-Type': 'application/json' };
    expect((await http.send({ path: '/v1/traces', body, headers, credential: other.apiKey })).status).toBe(200);
  });
});

describe('seats', () => {
  const keysPath = () => `/api/v1/tenants/${tenant.tenantId}/api-keys`;
  const makeKey = (scopes: string[], more: object = {}) =>
    http.send({ path: keysPath(), body: { name: 'k', scopes, ...more } as never, credential: tenant.apiKey });
  const refusal = { status: 402, json: { code: 'quota_exceeded', errors: [{ message: 'seats' }] } };

  it('are keys that may change something, not those that only send or read', async () => {
    for (const scopes of [['ingest'], ['read'], ['ingest', 'read']]) expect((await makeKey(scopes)).status).toBe(201);
    for (const scopes of [['write'], ['admin'], ['read', 'write']])
      expect(await makeKey(scopes)).toMatchObject(refusal);
    expect((await get('/status')).json).toMatchObject({ usage: { seats: 1 }, quotas: { seats: 1 } });
  });

  it('depend on the plan, and are released when a key is revoked or expires', async () => {
    await subscribe();
    const soon = new Date(http.clock.now() + 60_000).toISOString();
    const createdKeys = [await makeKey(['write']), await makeKey(['admin'], { expires_at: soon })];
    for (let at = 0; at < 2; at += 1) createdKeys.push(await makeKey(['write']));
    expect(createdKeys.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
    expect(await makeKey(['write'])).toMatchObject(refusal);
    const path = `${keysPath()}/${createdKeys[0]?.json.key_id}`;
    expect((await http.send({ method: 'DELETE', path, credential: tenant.apiKey })).status).toBe(204);
    expect((await makeKey(['write'])).status).toBe(201);
    expect(await makeKey(['write'])).toMatchObject(refusal);
    http.clock.advance(60_000);
    expect((await makeKey(['write'])).status).toBe(201);
  });

  it('that are requested concurrently are not granted twice', async () => {
    await subscribe();
    const answers = await Promise.all(Array.from({ length: 8 }, () => makeKey(['write'])));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 201, 201, 201, 402, 402, 402, 402]);
  });

  it('of an ended plan keep working and can be rotated', async () => {
    await subscribe();
    const { json: key } = await makeKey(['read', 'write']);
    await deliver(eventOf('customer.subscription.deleted', subscriptionOf('canceled')));
    expect((await get('/status', key.api_key)).json).toMatchObject({ plan: 'free', usage: { seats: 2 } });
    const path = `${keysPath()}/${key.key_id}/rotate`;
    expect((await http.send({ method: 'POST', path, credential: tenant.apiKey })).status).toBe(201);
    expect(await makeKey(['write'])).toMatchObject(refusal);
  });
});

describe('the retention of a plan', () => {
  const path = () => `/api/v1/tenants/${tenant.tenantId}/settings/retention`;
  const set = (days: number | null | 'default') =>
    http.send({ method: 'PUT', path: path(), body: { retention_days: days }, credential: tenant.apiKey });
  const kept = async () => (await http.send({ path: path(), credential: tenant.apiKey })).json;
  // Retention is not limited in the first two weeks of billing.
  beforeAll(() => http.clock.advance(14 * 86_400_000));

  it.each([8, 3_650, null])('is not exceeded by %j', async (days) => {
    expect(await set(days)).toMatchObject({
      status: 402,
      json: { code: 'quota_exceeded', errors: [{ pointer: '/retention_days', message: 'retention_days' }] },
    });
    expect(await kept()).toEqual({ retention_days: 7, source: 'plan', plan_days: 7 });
  });

  it('does not change a shorter one', async () => {
    expect(await set(3)).toMatchObject({ status: 200, json: { retention_days: 3, source: 'tenant', plan_days: 7 } });
    expect(await set('default')).toMatchObject({ status: 200, json: { retention_days: 7, source: 'plan' } });
  });

  it('is kept for two weeks after the plan has ended', async () => {
    await subscribe();
    expect((await set(30)).status).toBe(200);
    await deliver(eventOf('customer.subscription.deleted', subscriptionOf('canceled')));
    http.clock.advance(14 * 86_400_000 - 1_000);
    expect(await kept()).toEqual({ retention_days: 30, source: 'tenant', plan_days: 30 });
    http.clock.advance(1_000);
    expect(await kept()).toEqual({ retention_days: 7, source: 'plan', plan_days: 7 });
  });
});

describe('without a provider key', () => {
  let bare: HttpFixture;
  beforeAll(async () => {
    bare = await startHttpApp();
  });
  afterAll(() => bare.close());

  it('checkout is unavailable, nothing is limited, and the status shows it', async () => {
    const { apiKey, tenantId } = await bare.newTenant();
    const post = (path: string, body: object) =>
      bare.send({ path: BILLING + path, body: body as never, credential: apiKey });
    const answers = [
      await post('/checkout', ORDER),
      await bare.send({ path: `${BILLING}/portal`, credential: apiKey }),
      await bare.send({ path: `${BILLING}/webhooks/payment`, body: {}, headers: { 'payment-signature': 't=1,v1=00' } }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 409, json: { code: 'billing_not_configured' } });
    const { json } = await bare.send({ path: `${BILLING}/status`, credential: apiKey });
    expect(json).toMatchObject({ configured: false, plan: 'unlimited', quotas: { traces_per_day: null } });
    expect((await bare.send({ path: `${BILLING}/plans` })).json).toMatchObject({ configured: false, total: 4 });
    const spans = Array.from({ length: 1_001 }, (_, at) => ({
      ...(runSpans(at)[3] as ReturnType<typeof runSpans>[number]),
    }));
    await bare.services.ingest.ingest(tenantId, toRequest(spans));
    await expect(bare.services.ingest.ingest(tenantId, toRequest(runSpans(9_000)))).resolves.toMatchObject({
      acceptedSpans: 4,
    });
  });
});

const captures = process.env.MISSTEP_CAPTURES ?? resolve(import.meta.dirname, '../../../shared/clients/captures');
const recorded = resolve(captures, 'stripe/test-event.json');

describe.runIf(existsSync(recorded))('a recorded event (skipped without captures)', () => {
  it('is read with its own signature and time', () => {
    const { payload, secret, header } = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, string>;
    const provider = createStripeProvider({ ...payment(), webhookSecrets: [secret as string] });
    const time = Number(/t=(\d+)/.exec(header as string)?.[1]) * 1000;
    const event = provider.readEvent(Buffer.from(payload as string), header as string, time);
    expect(event).toMatchObject({ type: 'checkout.session.completed', change: { kind: 'checkout', isPaid: true } });
    expect(() => provider.readEvent(Buffer.from(`${payload} `), header as string, time)).toThrow(
      /signature is invalid/,
    );
  });
});
