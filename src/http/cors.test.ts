import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';

const PREFLIGHT = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-svc-api-key' };
const CORS_HEADER = /^access-control-/;
const corsHeaders = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => CORS_HEADER.test(name)));

describe('CORS with named origins', () => {
  let http: HttpFixture;
  beforeAll(async () => {
    http = await startHttpApp({ corsOrigins: ['https://ui.example'] });
  });
  afterAll(() => http.close());

  it('answers a preflight with exactly the allowed methods and headers', async () => {
    const answer = await http.send({
      method: 'OPTIONS',
      path: '/api/v1/tenants',
      headers: { Origin: 'https://ui.example', ...PREFLIGHT },
    });
    expect(answer.status).toBe(204);
    expect(corsHeaders(answer.headers)).toEqual({
      'access-control-allow-origin': 'https://ui.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
      'access-control-allow-headers':
        'Authorization,Content-Type,Accept,X-SVC-API-Key,X-SVC-Signature,X-SVC-Timestamp,X-SVC-Nonce',
      'access-control-max-age': '3600',
    });
    expect(answer.headers.vary).toContain('Origin');
  });

  it.each([
    ['an answer', '/health', 200],
    ['an error', '/api/v1/tenants', 401],
    ['a missing path', '/nowhere', 404],
  ])('marks %s', async (_name, path, status) => {
    const answer = await http.send({ path, headers: { Origin: 'https://ui.example' } });
    expect(answer.status).toBe(status);
    expect(corsHeaders(answer.headers)).toEqual({
      'access-control-allow-origin': 'https://ui.example',
      'access-control-allow-credentials': 'true',
    });
  });

  it.each([
    'https://evil.example',
    'http://ui.example',
    'https://ui.example:8443',
    'https://ui.example.evil.example',
    'null',
    'http://localhost:3000',
  ])('refuses %s', async (origin) => {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const headers = { Origin: origin, ...(method === 'OPTIONS' ? PREFLIGHT : {}) };
      const answer = await http.send({ method, path: '/api/v1/auth/tenants', headers });
      expect(answer).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } });
      expect(corsHeaders(answer.headers)).toEqual({});
    }
  });
});

describe('CORS without origins', () => {
  let http: HttpFixture;
  beforeAll(async () => {
    http = await startHttpApp();
  });
  afterAll(() => http.close());

  it('accepts its own pages without CORS headers', async () => {
    const answer = await http.send({ path: '/health', headers: { Origin: http.url } });
    expect(answer.status).toBe(200);
    expect(corsHeaders(answer.headers)).toEqual({});
  });

  it('rejects all other origins', async () => {
    const answer = await http.send({ path: '/health', headers: { Origin: 'https://ui.example' } });
    expect(answer).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } });
  });
});
