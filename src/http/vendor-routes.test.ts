import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATADOG_KEY, type DatadogServer, seriesBody, startDatadogServer } from '../../test/support/datadog-server.ts';
import {
  createFakeClock,
  type HttpFixture,
  OPERATOR_TOKEN,
  startHttpApp,
  type Tenant,
} from '../../test/support/http-app.ts';
import { runSpans, toRequest } from '../../test/support/store-app.ts';
import { dashboardRecord } from '../features/metrics/vendor-dashboard.ts';

const FLUSH = '/api/v1/metrics/vendor/flush';
let vendor: DatadogServer;
let http: HttpFixture;
let tenant: Tenant;
let now = createFakeClock();

async function setUp(limits?: { packed: number; unpacked: number }, apiKey = DATADOG_KEY): Promise<void> {
  vendor = await startDatadogServer(() => Math.floor(now.now() / 1000), limits);
  http = await startHttpApp({}, { datadog: { baseUrl: vendor.url, apiKey, host: 'host-1' } });
  now = http.clock;
  tenant = await http.newTenant();
}

beforeEach(() => setUp());
afterEach(async () => {
  await http.close();
  await vendor.close();
});

let run = 0;
function nextRun(): number {
  run += 1;
  return run;
}
async function sendRuns(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await http.services.ingest.ingest(tenant.tenantId, toRequest(runSpans(nextRun(), { tokens: 50 })));
  http.clock.advance(5_000);
  await http.services.analysis.runDue(100);
}
const flush = (credential = tenant.apiKey) => http.send({ method: 'POST', path: FLUSH, credential });
const sent = () => vendor.total('misstep.tenant.traces');

describe('a flush', () => {
  it('sends only the growth since the last flush', async () => {
    await sendRuns(2);
    expect(await flush()).toMatchObject({ status: 200, json: { requests: 1, unanswered: 0 } });
    expect([sent(), vendor.total('misstep.tenant.spans')]).toEqual([2, 8]);
    await flush();
    expect(sent()).toBe(2);
    await sendRuns(3);
    await flush();
    expect([sent(), vendor.total('misstep.tenant.spans')]).toEqual([5, 20]);
    expect(vendor.total('misstep.tenant.traces', `tenant:${tenant.tenantId}`)).toBe(5);
  });

  it('loses nothing when two flushes happen within a second', async () => {
    await sendRuns(1);
    await flush();
    await http.services.ingest.ingest(tenant.tenantId, toRequest(runSpans(nextRun())));
    await flush();
    expect(sent()).toBe(2);
  });

  it('that is requested concurrently sends each point once', async () => {
    await sendRuns(2);
    const answers = await Promise.all(Array.from({ length: 12 }, () => flush()));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(sent()).toBe(2);
    expect(vendor.requests.length).toBeLessThan(12);
    await sendRuns(1);
    await flush();
    expect(sent()).toBe(3);
  });

  it('of the operator sends the metrics of the instance under other names', async () => {
    await sendRuns(1);
    expect((await flush(OPERATOR_TOKEN)).status).toBe(200);
    expect([vendor.total('misstep.instance.traces'), sent()]).toEqual([1, 0]);
  });

  it('needs the scope write', async () => {
    expect((await flush(await http.newKey(tenant.tenantId, ['read']))).status).toBe(403);
  });
});

describe('a flush that fails', () => {
  it.each([
    ['a server error', { status: 500 }, 502, 'unreachable'],
    ['a time-out at the vendor', { status: 408 }, 502, 'unreachable'],
    ['a connection that breaks after the points were accepted', 'cut' as const, 502, 'unreachable'],
    ['a refusal', { status: 400 }, 502, 'unreachable'],
    ['too many requests', { status: 429, headers: { 'X-RateLimit-Reset': '7' } }, 429, 'rate_limited'],
    ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, 502, 'unreachable'],
  ])('with %s neither repeats nor loses anything', async (_title, how, status, code) => {
    await sendRuns(2);
    vendor.next.push(how, how);
    for (let time = 0; time < 2; time += 1) {
      const answer = await flush();
      expect(answer).toMatchObject({ status, json: { code } });
      if (status === 429) expect(answer.headers['retry-after']).toBe('7');
      await sendRuns(1);
    }
    expect((await flush()).status).toBe(200);
    await flush();
    expect(sent()).toBe(4);
    expect(vendor.total('misstep.tenant.spans')).toBe(16);
  });

  it('because the vendor is unreachable loses nothing', async () => {
    await sendRuns(1);
    const port = Number(new URL(vendor.url).port);
    await vendor.close();
    expect((await flush()).json).toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    const rows = await http.app.store.db.selectFrom('vendor_flushes').select('pending').execute();
    expect(port > 0 && rows.every((row) => row.pending === null)).toBe(true);
  });

  it('without an answer for an hour is dropped and reported', async () => {
    await sendRuns(2);
    vendor.next.push('cut');
    await flush();
    http.clock.advance(3_600_000);
    await sendRuns(1);
    const { json } = await flush();
    expect(json.unanswered).toBeGreaterThan(0);
    expect(sent()).toBe(3);
  });

  it('never shows the key', async () => {
    vendor.next.push({ status: 403 });
    const answer = await flush();
    expect(answer.text + JSON.stringify(http.logLines)).not.toContain(DATADOG_KEY);
  });
});

describe('payloads', () => {
  it('are halved until the vendor accepts them', async () => {
    await http.close();
    await vendor.close();
    await setUp({ packed: 512_000, unpacked: 700 });
    await sendRuns(2);
    expect((await flush()).status).toBe(200);
    expect(sent()).toBe(2);
    expect(vendor.requests.length).toBeGreaterThan(2);
    expect(vendor.requests.every(({ bytes }) => bytes <= 700)).toBe(true);
  });

  it.each([
    ['a value as text', { points: [{ timestamp: 1, value: '1' }] }],
    ['milliseconds with a fraction', { points: [{ timestamp: 1.5, value: 1 }] }],
    ['an unknown type', { type: 9 }],
    ['a count without interval', { interval: undefined }],
    ['an unknown member', { host: 'x' }],
    ['no points', { points: [] }],
  ])('with %s would be refused by the receiver of these tests', (_title, change) => {
    const good = { metric: 'a.b', type: 1, interval: 60, points: [{ timestamp: 1, value: 1 }], tags: ['a:b'] };
    expect(seriesBody.safeParse({ series: [good] }).success).toBe(true);
    expect(seriesBody.safeParse({ series: [{ ...good, ...change }] }).success).toBe(false);
  });
});

describe('without a key', () => {
  it('a flush is 409, and the dashboard is available', async () => {
    const withoutKey = await startHttpApp();
    try {
      const { apiKey, tenantId } = await withoutKey.newTenant();
      const answer = await withoutKey.send({ method: 'POST', path: FLUSH, credential: apiKey });
      expect(answer).toMatchObject({ status: 409, json: { code: 'vendor_not_configured' } });
      const { status, json } = await withoutKey.send({ path: '/api/v1/metrics/vendor/dashboard', credential: apiKey });
      expect(status).toBe(200);
      expect(json.template_variables).toEqual([{ name: 'tenant', prefix: 'tenant', defaults: [tenantId] }]);
      expect(dashboardRecord.safeParse({ ...json, layout_type: 'grid' }).success).toBe(false);
    } finally {
      await withoutKey.close();
    }
  });
});

describe('the dashboard', () => {
  it.each([
    ['a tenant', 'tenant'],
    ['the operator', 'instance'],
  ])('of %s uses only metrics that a flush sends', async (who, scope) => {
    await sendRuns(1);
    const credential = who === 'a tenant' ? tenant.apiKey : OPERATOR_TOKEN;
    const { json } = await http.send({ path: '/api/v1/metrics/vendor/dashboard', credential });
    const queried = [...JSON.stringify(json).matchAll(/misstep\.[a-z._]+/g)].map(([name]) =>
      name.replace(/\.as_count$/, ''),
    );
    const known = ['traces', 'spans', 'tokens', 'cost_usd', 'detections', 'alerts', 'issues_open'];
    expect(queried.filter((name) => !known.some((one) => name === `misstep.${scope}.${one}`))).toEqual([]);
    expect(queried.length).toBeGreaterThan(9);
  });
});
