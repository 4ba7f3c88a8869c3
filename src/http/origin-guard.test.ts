import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';

const PUBLIC = 'misstep.example';
let http: HttpFixture;
let behindProxy: HttpFixture;

beforeAll(async () => {
  http = await startHttpApp({ allowedHosts: [PUBLIC], corsOrigins: ['https://ui.example'] });
  behindProxy = await startHttpApp({ allowedHosts: [PUBLIC], trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
  await http.close();
  await behindProxy.close();
});

/** Answered by the router: the guards let the request pass. */
const PASSED = 404;

async function statusOf(method: string, headers: Record<string, string>, server = http): Promise<number> {
  const answer = await server.send({ method, path: '/nowhere', headers });
  if (answer.status === 403) expect(answer.json.code).toBe('origin_not_allowed');
  return answer.status;
}

describe('the origin of a page', () => {
  it.each<[string, string, number]>([
    ['http://localhost:4319', 'localhost:4319', PASSED],
    ['http://LOCALHOST:4319', 'localhost:4319', PASSED],
    ['http://[::1]:4319', '[::1]:4319', PASSED],
    ['https://misstep.example', 'misstep.example', PASSED],
    ['https://misstep.example', 'MISSTEP.example:443', PASSED],
    ['https://ui.example', 'localhost:4319', PASSED],
    ['http://localhost:3000', 'localhost:4319', 403],
    ['http://127.0.0.1:4319', 'localhost:4319', 403],
    ['http://misstep.example:8080', 'misstep.example', 403],
    ['http://localhost.evil.example:4319', 'localhost:4319', 403],
    ['http://ui.example', 'localhost:4319', 403],
    ['null', 'localhost:4319', 403],
    ['file://', 'localhost:4319', 403],
    ['chrome-extension://localhost:4319', 'localhost:4319', 403],
    ['http://localhost:4319, http://evil.example', 'localhost:4319', 403],
    ['http://evil.example@localhost:4319', 'localhost:4319', 403],
    ['http://localhost:4319/page', 'localhost:4319', 403],
  ])('%s at %s: %i', async (origin, host, status) => {
    for (const method of ['GET', 'POST']) expect(await statusOf(method, { Origin: origin, Host: host })).toBe(status);
  });

  it.each<[string, string, number]>([
    ['https://traces.example', 'traces.example', PASSED],
    // The proxy sends its own name for the server.
    ['https://traces.example', '127.0.0.1:4319', PASSED],
    ['https://other.example', 'traces.example', 403],
    ['http://traces.example:81', 'traces.example', 403],
  ])('%s at %s behind a public URL: %i', async (origin, host, status) => {
    const server = await startHttpApp({ publicUrl: { origin: 'https://traces.example', basePath: '/misstep' } });
    expect(await statusOf('POST', { Origin: origin, Host: host }, server)).toBe(status);
    await server.close();
  });

  it('is not the own origin although a probe may use any host', async () => {
    const headers = { Origin: 'http://evil.example', Host: 'evil.example' };
    expect((await http.send({ path: '/health', headers })).status).toBe(403);
  });

  it.each([
    [PUBLIC, PASSED],
    ['evil.example', 403],
  ])('behind a trusted proxy for %s: %i', async (name, status) => {
    const headers = { Host: '127.0.0.1:4319', 'X-Forwarded-Host': name, Origin: `https://${name}` };
    expect(await statusOf('POST', headers, behindProxy)).toBe(status);
  });

  it('ignores X-Forwarded-Host of untrusted clients', async () => {
    const headers = { Host: '127.0.0.1:4319', 'X-Forwarded-Host': PUBLIC, Origin: `https://${PUBLIC}` };
    expect(await statusOf('POST', headers)).toBe(403);
  });
});

describe('a request without Origin', () => {
  it.each<[string, Record<string, string>, number]>([
    ['POST', {}, PASSED],
    ['POST', { 'Sec-Fetch-Site': 'same-origin' }, PASSED],
    ['POST', { 'Sec-Fetch-Site': 'none' }, PASSED],
    ['POST', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['POST', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['PUT', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['DELETE', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://ui.example' }, PASSED],
    ['GET', { 'Sec-Fetch-Site': 'cross-site' }, PASSED],
  ])('%s with %j: %i', async (method, headers, status) => {
    expect(await statusOf(method, headers)).toBe(status);
  });

  it('is accepted behind a proxy without a forwarded host', async () => {
    const headers = { Host: PUBLIC, 'X-Forwarded-For': '203.0.113.9' };
    expect(await statusOf('POST', headers, behindProxy)).toBe(PASSED);
  });
});
