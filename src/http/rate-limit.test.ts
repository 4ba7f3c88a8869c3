import { afterEach, describe, expect, it } from 'vitest';
import { type HttpFixture, type Sent, startHttpApp } from '../../test/support/http-app.ts';
import { DEFAULT_HTTP_CONFIG } from './http-config.ts';

let http: HttpFixture;
afterEach(() => http.close());

const LIMITS = {
  global: { requests: 3, windowSeconds: 60 },
  auth: { requests: 1, windowSeconds: 60 },
  session: { requests: 3, windowSeconds: 60 },
};
const repeat = (count: number, sent: Sent) =>
  Promise.all(Array.from({ length: count }, () => http.send(sent))).then((all) => all.map((answer) => answer.status));

describe('rate limits', () => {
  it('have the documented defaults', () => {
    expect(DEFAULT_HTTP_CONFIG.rateLimits).toEqual({
      global: { requests: 1000, windowSeconds: 60 },
      auth: { requests: 10, windowSeconds: 60 },
      session: { requests: 3000, windowSeconds: 60 },
    });
    return startHttpApp().then((started) => {
      http = started;
    });
  });

  it('reject requests above the limit and accept them again as it refills', async () => {
    http = await startHttpApp({ rateLimits: LIMITS });
    const path = '/openapi.json';
    const first = await http.send({ path });
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"global";q=3;w=60', ratelimit: '"global";r=2;t=20' });
    expect(await repeat(2, { path })).toEqual([200, 200]);
    const refused = await http.send({ path });
    expect(refused).toMatchObject({ status: 429, json: { code: 'rate_limited' } });
    expect(refused.headers).toMatchObject({ 'retry-after': '20', ratelimit: '"global";r=0;t=60' });
    http.clock.advance(20_000);
    expect(await repeat(2, { path })).toEqual([200, 429]);
  });

  it('are stricter for the auth endpoints', async () => {
    http = await startHttpApp({ rateLimits: LIMITS });
    const sent = { path: '/api/v1/auth/token', body: { api_key: 'x' } };
    expect((await http.send(sent)).status).toBe(401);
    const refused = await http.send(sent);
    expect(refused).toMatchObject({ status: 429, headers: { 'ratelimit-policy': '"auth";q=1;w=60' } });
    expect(await repeat(1, { path: '/openapi.json' })).toEqual([200]);
  });

  it.each(['/API/v1/auth/token', '/api/v1/auth/token/', '//api/v1/auth/token', '/api/v1/%61uth/token'])(
    'apply to the path spelled as %s',
    async (path) => {
      http = await startHttpApp({ rateLimits: LIMITS });
      expect((await http.send({ path, body: { api_key: 'x' } })).status).toBe(404);
    },
  );

  it('exempt health, the root and OPTIONS', async () => {
    http = await startHttpApp({ rateLimits: LIMITS });
    for (const path of ['/health', '/api/v1/health', '/'])
      expect(await repeat(5, { path })).toEqual(Array(5).fill(200));
    expect(await repeat(5, { method: 'OPTIONS', path: '/api/v1/auth/token' })).toEqual(Array(5).fill(204));
  });

  it('answer OTLP exporters with google.rpc.Status and a short retry time', async () => {
    http = await startHttpApp({ rateLimits: { ...LIMITS, global: { requests: 1, windowSeconds: 1 } } });
    const sent = { path: '/v1/traces', body: Buffer.alloc(0), headers: { 'Content-Type': 'application/x-protobuf' } };
    await http.send(sent);
    const refused = await http.send(sent);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'content-type': 'application/x-protobuf', 'retry-after': '1' },
    });
    expect([...refused.bytes.subarray(0, 2)]).toEqual([0x08, 8]);
  });

  it('count by the client that a trusted proxy forwards', async () => {
    const limits = { ...LIMITS, global: { requests: 1, windowSeconds: 60 } };
    const from = (client: string) => ({ path: '/openapi.json', headers: { 'X-Forwarded-For': client } });
    http = await startHttpApp({ rateLimits: limits, trustedProxies: ['127.0.0.1'] });
    expect([...(await repeat(2, from('198.51.100.1'))), ...(await repeat(1, from('198.51.100.2')))]).toEqual([
      200, 429, 200,
    ]);
    await http.close();
    http = await startHttpApp({ rateLimits: limits });
    expect([...(await repeat(1, from('198.51.100.1'))), ...(await repeat(1, from('198.51.100.2')))]).toEqual([
      200, 429,
    ]);
  });

  it('can be disabled', async () => {
    http = await startHttpApp({ rateLimits: null });
    const answer = await http.send({ path: '/openapi.json' });
    expect(answer.headers.ratelimit).toBeUndefined();
  });
});
