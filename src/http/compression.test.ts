import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { longTrace } from '../../test/support/long-trace.ts';

const trace = longTrace({ spans: 50, startMs: Date.UTC(2026, 0, 15, 10) });

let http: HttpFixture;
let tenant: Tenant;
let tracePath: string;
beforeAll(async () => {
  http = await startHttpApp({ validatesOutput: false });
  tenant = await http.newTenant();
  const path = `/api/v1/tenants/${tenant.tenantId}/traces`;
  await http.send({ path: `${path}/ingest`, credential: tenant.apiKey, body: JSON.parse(trace.bodies[0]!) });
  tracePath = `${path}/${trace.traceId}`;
});
afterAll(() => http.close());

const ask = (path: string, accepted: string | null, method = 'GET') =>
  http.send({
    method,
    path,
    credential: tenant.apiKey,
    headers: accepted === null ? {} : { 'Accept-Encoding': accepted },
  });

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
};

describe('a response', () => {
  it.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['*', 'br'],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    [null, undefined],
  ])('for a client that accepts %s is sent as %s', async (accepted, expected) => {
    const uncompressed = await ask(tracePath, 'identity');
    const { status, headers, bytes } = await ask(tracePath, accepted);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(expected);
    expect(headers.vary).toContain('Accept-Encoding');
    const unpacked = expected === undefined ? bytes : DECODERS[expected]!(bytes);
    expect(unpacked.toString()).toBe(uncompressed.text);
    if (expected !== undefined) expect(bytes.length).toBeLessThan(uncompressed.bytes.length / 4);
  });

  it.each([
    ['a finished text', () => '/openapi.json'],
    ['an export', () => `/api/v1/tenants/${tenant.tenantId}/export`],
  ])('is compressed: %s', async (_title, path) => {
    const { headers, bytes } = await ask(path(), 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(headers['content-length']).toBeUndefined();
    expect(gunzipSync(bytes).length).toBeGreaterThan(bytes.length);
  });

  it('of a kilobyte or less is not compressed', async () => {
    const { headers } = await ask('/livez', 'br');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBeDefined();
  });

  it('to HEAD has the headers of the GET, without a length', async () => {
    const { headers, bytes } = await ask('/openapi.json', 'br', 'HEAD');
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: expect.stringContaining('Accept-Encoding') });
    expect(headers['content-length']).toBeUndefined();
    expect(bytes.length).toBe(0);
  });

  it('to a request that changes something is not compressed, because it may hold a secret next to chosen text', async () => {
    const { status, headers, json } = await http.send({
      path: '/api/v1/auth/tenants',
      credential: OPERATOR_TOKEN,
      body: { name: 'x'.repeat(100) },
      headers: { 'Accept-Encoding': 'br' },
    });
    expect(status).toBe(201);
    expect(headers['content-encoding']).toBeUndefined();
    expect(json.api_key).toBeDefined();
    const checked = await http.send({
      path: '/api/v1/security/hallucination/check',
      credential: tenant.apiKey,
      body: { output: 'The order was sent to Berlin. '.repeat(100), sources: ['The order was sent to Bonn.'] },
      headers: { 'Accept-Encoding': 'br' },
    });
    expect(checked.bytes.length).toBeGreaterThan(1024);
    expect(checked.headers['content-encoding']).toBeUndefined();
  });
});
